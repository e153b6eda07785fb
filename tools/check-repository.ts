/**
 * What must not stand in the repository: in a lockfile the address of a registry or of a tarball (a clone installs
 * from whatever registry its machine is set up with), anywhere a path of the machine on which a file was written.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { addresses, resolutions, workplaces } from "./leftovers.ts"
import { report } from "./sources.ts"

const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8"
})
  .split("\0")
  .filter((path) => path !== "")

const contents = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // Deleted in the working copy and not committed yet.
    return ""
  }
}

report("Repository", [
  ...addresses(contents("pnpm-lock.yaml")).map((found) => `pnpm-lock.yaml:${found}`),
  ...tracked
    .filter((path) => path.endsWith("package-lock.json"))
    .flatMap((path) => resolutions(contents(path)).map((found) => `${path}:${found}`)),
  ...tracked.flatMap((path) => workplaces(contents(path)).map((found) => `${path}:${found}`))
])
