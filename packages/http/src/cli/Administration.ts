/**
 * Where a command administers: on the configured database, through the process that owns the data folder, or on the
 * folder itself, which it then owns for the moment. The command does not know which of the three it is.
 *
 * Gotcha: an owner that does not listen is a server that starts or another command that ends soon, so it is waited for.
 */
import { NodeHttpClient } from "@effect/platform-node"
import { Owner } from "@lading/postgres"
import { Context, Effect, Layer, Schedule, Schema, type Scope } from "effect"
import { access } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Administration from "../server/admin/Administration.ts"
import type { CannotStart } from "../server/CannotStart.ts"
import type { Configuration } from "../server/Configuration.ts"
import * as Installation from "../server/Installation.ts"
import type * as Failure from "./Failure.ts"
import * as Remote from "./Remote.ts"
import { configured } from "./Setting.ts"

/** The folder holds no installation, and the command does not begin one. */
export class NothingThere extends Schema.TaggedError<NothingThere>()("NothingThere", { folder: Schema.String }) {}

export type Operations = Administration.Operations<Failure.Failure>

/** Somebody else holds the folder and does not listen yet. */
class Held extends Schema.TaggedError<Held>()("Held", { pid: Schema.Int, host: Schema.String }) {}

/** How often and how long an owner is waited for that does not listen yet. */
const patience = { schedule: Schedule.spaced("100 millis"), times: 300 }

const here = (configuration: Configuration): Effect.Effect<Operations, CannotStart, Scope.Scope> =>
  Effect.map(Layer.build(Installation.layerAdministration(configuration)), (context) =>
    Context.get(context, Administration.Administration)
  )

const exists = (path: string) =>
  Effect.match(
    Effect.tryPromise(() => access(path)),
    { onSuccess: () => true, onFailure: () => false }
  )

/** On the folder, be it through its owner. `begins` says whether the command may be the first to use it. */
const inFolder = Effect.fnUntraced(function* (configuration: Configuration, folder: string, begins: boolean) {
  const owner = yield* Owner.read(folder)
  if (owner !== null && owner.url !== null) return yield* Remote.connect(folder, owner, owner.url)
  if (owner !== null) return yield* new Held(owner)
  if (!begins && !(yield* exists(join(folder, "postgres")))) return yield* new NothingThere({ folder })
  return yield* here(configuration).pipe(
    // Somebody may have been faster.
    Effect.catch((error) =>
      Effect.flatMap(Owner.read(folder), (owner) => Effect.fail(owner === null ? error : new Held(owner)))
    )
  )
})

const open = ({ begins, configuration }: { readonly configuration: Configuration; readonly begins: boolean }) => {
  if (configuration.databaseUrl !== null) return here(configuration)
  const folder = resolve(configuration.dataDir)
  return inFolder(configuration, folder, begins).pipe(
    Effect.retry({ while: ({ _tag }) => _tag === "Held", ...patience }),
    Effect.catchTag("Held", ({ host, pid }) => Effect.fail(new Remote.OwnerSilent({ folder, host, pid, url: null })))
  )
}

/** Reads what was asked, then does the work wherever that is: what is wrong is refused before anything is opened. */
export const administered = <Request, A>(
  asked: Effect.Effect<Request, Failure.Failure>,
  work: (operations: Operations, request: Request) => Effect.Effect<A, Failure.Failure>,
  options: { readonly begins: boolean } = { begins: false }
): Effect.Effect<A, Failure.CommandFailed> =>
  configured(
    Effect.fnUntraced(
      function* (configuration) {
        for (const warning of configuration.warnings) yield* Effect.logWarning(warning)
        const request = yield* asked
        return yield* work(yield* open({ configuration, ...options }), request)
      },
      Effect.scoped,
      // Its connections close with the layer, so it is there until the work is done.
      Effect.provide(NodeHttpClient.layerUndici)
    )
  )
