/**
 * Packs every package as it would be published, installs the packs in an empty project outside the repository, imports
 * every export with plain Node and compiles a file that uses their types. Run it after `pnpm build`; package names as
 * arguments narrow down what is imported.
 *
 * Gotcha: what imports vitest (`@lading/testing/suites`) loads only inside vitest; of those only the types are checked.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Manifest } from "./manifests.ts"

const insideVitest = new Set(["@lading/testing/suites"])
const repository = resolve(import.meta.dirname, "..")
const scratch = mkdtempSync(join(tmpdir(), "lading-pack-"))
const packs = join(scratch, "packs")

const run = (cwd: string, command: string, ...parameters: ReadonlyArray<string>) =>
  execFileSync(command, parameters, { cwd, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" })

const manifests = globSync(["packages/*/package.json", "packages/providers/*/*/package.json"], { cwd: repository }).map(
  (path): { readonly folder: string; readonly manifest: Manifest } => ({
    folder: join(repository, path, ".."),
    manifest: JSON.parse(readFileSync(join(repository, path), "utf8"))
  })
)
const published = manifests.filter(({ manifest }) => manifest.private !== true)
const asked = new Set(process.argv.slice(2))
const modules = published
  .filter(({ manifest }) => asked.size === 0 || asked.has(manifest.name))
  .flatMap(({ manifest }) => Object.keys(manifest.exports ?? {}).map((name) => manifest.name + name.slice(1)))

const imports = (name: string): boolean => {
  const code = `console.log(process.version, "${name}:", Object.keys(await import("${name}")).join(" "))`
  const { status } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: scratch,
    stdio: "inherit"
  })
  return status === 0
}

try {
  mkdirSync(packs)
  for (const { folder } of published) run(folder, "npx", "-y", "pnpm@12", "pack", "--pack-destination", packs)
  writeFileSync(join(scratch, "package.json"), JSON.stringify({ private: true, type: "module" }))
  run(scratch, "npm", "install", "--no-audit", "--no-fund", ...globSync(join(packs, "*.tgz")))
  console.log(`installed ${published.length} packs in an empty project`)

  const failed = modules.filter((name) => !insideVitest.has(name) && !imports(name))
  if (failed.length > 0) throw new Error(`these cannot be imported: ${failed.join(", ")}`)

  const uses = modules.map((name, index) => `export * as use${index} from "${name}"`)
  writeFileSync(join(scratch, "use.ts"), uses.join("\n"))
  // The declarations of drivers name Node's types, as a project on Node has them.
  const nodeTypes = ["--typeRoots", join(repository, "node_modules", "@types"), "--types", "node"]
  const settings = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom"]
  run(scratch, join(repository, "node_modules", ".bin", "tsc"), ...settings, ...nodeTypes, "use.ts")
  console.log(`the declarations of ${modules.length} modules compile`)
} finally {
  rmSync(scratch, { recursive: true })
}
