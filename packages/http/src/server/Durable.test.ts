/** A workflow that has begun goes on in the next version of the server: its name says which one it was written for. */
import { assert, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const packages = join(import.meta.dirname, "../../..")

/** Workflows are defined in the core; the server chooses their engine. */
const sources = ["core/src", "http/src"].flatMap((folder) =>
  readdirSync(join(packages, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => join(folder, file))
)

it("the name of every durable workflow ends with a version", () => {
  const names = sources.flatMap((file) =>
    Array.from(
      readFileSync(join(packages, file), "utf8").matchAll(/\bWorkflow\.make\(\s*([^,)]+)/g),
      ([, name = ""]) => [file, name] as const
    )
  )
  assert.isAtLeast(names.length, 3)
  for (const [file, name] of names) assert.match(name, /^"lading\/[a-z-]+\/[1-9][0-9]*"$/, file)
})
