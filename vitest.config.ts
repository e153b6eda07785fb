import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/**/src/**/*.test.ts", "docs/**/*.test.ts", "tools/**/*.test.ts"],
    // Some tests start a PostgreSQL, an embedded one, or a child process; on a cold machine that takes seconds.
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
