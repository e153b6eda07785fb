/**
 * Secrets in files, as Docker, Kubernetes and systemd hand them over: where the name of a secret variable with `_FILE`
 * behind it is set, its value is what that file holds, without the line end. Both at once is refused.
 */
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { CannotStart } from "../server/CannotStart.ts"
import type { Environment } from "../server/Configuration.ts"
import * as Variables from "../server/Variables.ts"
import { codeOf } from "./rows/Problem.ts"

const suffix = "_FILE"

const isSet = (value: string | undefined): value is string => value !== undefined && value.trim() !== ""

const content = (variable: string, file: string) =>
  Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (cause) => new CannotStart({ variable, problem: `the file ${file} cannot be read (${codeOf(cause)})` })
  }).pipe(
    Effect.map((text) => text.replace(/\r?\n$/, "")),
    // A secret that was not filled in is no wish to go without: an empty address would begin another database.
    Effect.filterOrFail(isSet, () => new CannotStart({ variable, problem: `the file ${file} is empty` }))
  )

/** The environment with the secrets of files in it, and without the names of the files. */
export const resolve = Effect.fnUntraced(function* (
  environment: Environment
): Effect.fn.Return<Environment, CannotStart> {
  const resolved: Record<string, string | undefined> = { ...environment }
  for (const { name, secret } of Variables.all) {
    const variable = `${name}${suffix}`
    const file = environment[variable]
    if (!secret || !isSet(file)) continue
    if (isSet(environment[name])) {
      return yield* new CannotStart({ variable, problem: `${name} is set, too; leave one of them out` })
    }
    resolved[name] = yield* content(variable, file)
    delete resolved[variable]
  }
  return resolved
})
