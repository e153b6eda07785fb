/**
 * What the package.json of a published package must say. In the workspace `exports` and `bin` point to the sources; in
 * the published form they point to what `pnpm build` made of them, so `publishConfig` follows from them.
 */

export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly description?: string
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
}

/** The oldest Node that `@effect/platform-node` supports. From source the packages run on Node 24. */
const engines = { node: ">=22.19.0" }

const built = (source: string, extension: string) => source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, extension)

const mapped = <A>(entries: Readonly<Record<string, string>>, to: (source: string) => A) =>
  Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, to(source)]))

const expected = ({ bin, exports = {} }: Manifest) => ({
  license: "Apache-2.0",
  type: "module",
  engines,
  files: ["dist", "!dist/.tsbuildinfo"],
  publishConfig: {
    access: "public",
    ...(bin === undefined ? {} : { bin: mapped(bin, (source) => built(source, ".js")) }),
    exports: mapped(exports, (source) => ({ types: built(source, ".d.ts"), default: built(source, ".js") }))
  }
})

/** What is wrong with a manifest, one line each. A private package is its own business. */
export const problems = (manifest: Manifest): ReadonlyArray<string> => {
  if (manifest.private === true) return []
  const said: Readonly<Record<string, unknown>> = { ...manifest }
  return Object.entries(expected(manifest))
    .filter(([key, value]) => JSON.stringify(said[key]) !== JSON.stringify(value))
    .map(([key]) => key)
    .concat(typeof manifest.description === "string" ? [] : ["description"])
    .map((key) => `${manifest.name}: package.json has no fitting "${key}"`)
}

/** The manifest with everything that follows from its `exports` and `bin`. */
export const completed = (manifest: Manifest): Manifest =>
  manifest.private === true ? manifest : Object.assign({}, manifest, expected(manifest))
