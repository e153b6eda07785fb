/**
 * The dependency rule of the design, as a table: who may import what. `core` <- `providers/*`, `importers`
 * <- `http`; `testing` stands on `core`, and only tests, simulators and the sandbox of `http` may use it.
 *
 * Gotchas
 * - Imports of types count too: a type of a driver in core ties core to that driver.
 * - Test files (and `src/fixtures`) may use `node:` and `@lading/testing`, but keep to the arrows between packages.
 * - dependency-cruiser would be the package for this, but it reads TypeScript through the compiler's JavaScript API,
 *   which TypeScript 7 does not have.
 */
import { dirname, join } from "node:path/posix"
import { parseSync } from "oxc-parser"
import type { SourceFile } from "./sources.ts"

/** Libraries without I/O that core may stand on, beside `effect`. */
const pureLibraries = new Set([
  "countries-list",
  "disposable-email-domains-js",
  "i18n-iso-countries",
  "iso-639-1",
  "libphonenumber-js",
  "sea-ports",
  "tldts"
])

type Role = "source" | "simulator" | "test"

/** Where a file stands: its package's folder, its part of the house, and what it is for. */
interface Place {
  readonly home: string
  readonly part: "core" | "http" | "importers" | "provider" | "testing"
  readonly inside: string
  readonly role: Role
}

const roleOf = (inside: string): Role => {
  if (inside.endsWith(".test.ts") || inside.startsWith("fixtures/")) return "test"
  return inside.startsWith("simulator/") || inside.startsWith("sandbox/") ? "simulator" : "source"
}

const placeOf = (path: string): Place | null => {
  const [, home, inside] = /^(packages\/(?:providers\/[^/]+\/)?[^/]+)\/src\/(.+)$/.exec(path) ?? []
  if (home === undefined || inside === undefined) return null
  const name = home.slice("packages/".length)
  const part = name === "core" || name === "http" || name === "importers" || name === "testing" ? name : "provider"
  return { home, part, inside, role: roleOf(inside) }
}

/** `@scope/name/deep` and `name/deep` without what stands behind the package's name. */
const packageOf = (specifier: string): string => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

const isPortableHttp = ({ inside, part }: Place): boolean =>
  part === "http" && (inside.startsWith("api/") || inside.startsWith("client/"))

const relative = (place: Place, specifier: string): string | null => {
  const target = join(place.home, "src", dirname(place.inside), specifier)
  if (!target.startsWith(`${place.home}/src/`)) return "a relative import stays inside its package"
  const to = target.slice(`${place.home}/src/`.length)
  if (place.role === "source" && roleOf(to) === "test") return "a source does not import a test or its fixtures"
  if (place.role !== "test" && isPortableHttp(place) && !/^(api|client)\//.test(to))
    return "http/api and http/client import neither the server nor the command line"
  return null
}

const workspace = (place: Place, name: string): string | null => {
  if (name === "@lading/core") return place.part === "core" ? "inside core imports are relative" : null
  if (name === "@lading/testing") {
    // The plain vendor is copied into packages of its own, and keeps to what holds there.
    if (place.part === "testing")
      return place.inside.startsWith("plain/") ? null : "inside testing imports are relative"
    return place.role === "source" ? "only tests, simulators and the sandbox may import @lading/testing" : null
  }
  if (place.part !== "http") return "core <- providers/*, importers <- http: nothing points the other way, or sideways"
  if (name === "@lading/http") return "inside http imports are relative"
  return isPortableHttp(place) && place.role !== "test" ? "http/api and http/client import no provider" : null
}

const foreign = (place: Place, specifier: string, name: string): string | null => {
  if (place.role === "test" || name === "effect") return null
  const ties = specifier.startsWith("node:") || name.startsWith("@effect/platform-")
  if (isPortableHttp(place) && ties) return "http/api and http/client run anywhere: no Node"
  if (place.part === "core" && !pureLibraries.has(name))
    return "core imports only effect and the pure libraries of tools/dependencyRule.ts"
  return null
}

const refusal = (place: Place, specifier: string): string | null => {
  if (specifier.startsWith(".")) return relative(place, specifier)
  const name = packageOf(specifier)
  return name.startsWith("@lading/") ? workspace(place, name) : foreign(place, specifier, name)
}

/** Every module that a source names: imports, re-exports, imports of types, and `import()` of a literal. */
export const importsOf = ({ path, text }: SourceFile): ReadonlyArray<string> => {
  const { dynamicImports, staticExports, staticImports } = parseSync(path, text).module
  return [
    ...staticImports.map((each) => each.moduleRequest.value),
    ...staticExports.flatMap((each) => each.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...dynamicImports.flatMap(
      ({ moduleRequest: { end, start } }) => /^["'`](.*)["'`]$/.exec(text.slice(start, end))?.[1] ?? []
    )
  ]
}

/** What of the rule a file breaks, one line for each import. */
export const violations = (file: SourceFile): ReadonlyArray<string> => {
  const place = placeOf(file.path)
  if (place === null) return []
  return [...new Set(importsOf(file))].flatMap((specifier) => {
    const reason = refusal(place, specifier)
    return reason === null ? [] : [`${file.path} imports "${specifier}": ${reason}`]
  })
}
