/**
 * Takes parts of the platform out of `lading serve`, so that what they cost can be measured; loaded before the server's
 * own code (`node --import`). `WITHOUT` names them, separated by commas:
 *
 * - `door`: authentication and rate limit; everybody is the same caller (`OpenDoor.ts`).
 * - `ledger`: holds and captures; every hold fits and nothing is kept (`FreeLedger.ts`).
 */
import { registerHooks } from "node:module"

const without = (process.env["WITHOUT"] ?? "").split(",")

/** Where a module is imported from, what it is called there, and what takes its place. */
const parts = [
  { part: "door", importer: "/server/Server.ts", specifier: "./Authentication.ts", substitute: "OpenDoor.ts" },
  { part: "ledger", importer: "/postgres/src/index.ts", specifier: "./Ledger.ts", substitute: "FreeLedger.ts" }
]

registerHooks({
  resolve: (specifier, context, next) => {
    const found = parts.find(
      (one) =>
        without.includes(one.part) && specifier === one.specifier && context.parentURL?.endsWith(one.importer) === true
    )
    return next(found === undefined ? specifier : new URL(found.substitute, import.meta.url).href, context)
  }
})
