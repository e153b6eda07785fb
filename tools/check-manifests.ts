/** Fails when a package could not be published as it is. `--write` completes the manifests instead. */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { completed, type Manifest, problems } from "./manifests.ts"
import { report } from "./sources.ts"

const paths = globSync(["packages/*/package.json", "packages/providers/*/*/package.json"]).sort()

const manifestAt = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8"))

if (process.argv.includes("--write"))
  for (const path of paths) writeFileSync(path, `${JSON.stringify(completed(manifestAt(path)), null, 2)}\n`)

report("Manifests (`node tools/check-manifests.ts --write` completes them)", paths.map(manifestAt).flatMap(problems))
