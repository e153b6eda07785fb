/**
 * `tsc` with the Effect diagnostics built in: takes tsc's arguments. Types and diagnostics come from one pass over the
 * program, and nothing in `node_modules` has to be patched for it.
 *
 * Gotcha: `@effect/tsgo/lib/getExePath` of 0.45.0 refuses the metadata that it ships with; its command line does not.
 */
import { execSync, spawnSync } from "node:child_process"

const compiler = execSync("effect-tsgo get-exe-path", { encoding: "utf8" }).trim()
const { status } = spawnSync(compiler, process.argv.slice(2), { stdio: "inherit" })
process.exitCode = status ?? 1
