import { env } from "node:process"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/**/src/**/*.test.ts", "docs/**/*.test.ts", "tools/**/*.test.ts"],
    // Processes, because tests take locks by pid and end their database with them. One process serves many files:
    // loading `effect` anew for each of 33 files made 23 s of what takes 7 s, and no module here keeps state.
    pool: "forks",
    isolate: false,
    // Much of the time passes in servers, databases and vendors that are other processes; two workers share two cores well.
    maxWorkers: 2,
    // Processes that are killed, and other people's machines: in CI a test that fails is tried once more, and its line says
    // so (`retry x1`). Whoever sees that line has found a test, or a part of the house, that is not sure of itself.
    retry: env["CI"] === "true" ? 1 : 0,
    // Some tests start a PostgreSQL, an embedded one, or a child process; on a cold or busy machine that takes a while, and a
    // timing decides no test.
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
