/** The version of this package, which all packages share. */
import { readFileSync } from "node:fs"

// From here to the manifest it is as far in the sources as in what is published.
const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8")
)

export const { version } = manifest
