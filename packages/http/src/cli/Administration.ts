/**
 * Where a command administers: on the configured database, through the process that owns the data folder, or on the
 * folder itself, which it then owns for the moment. The command does not know which of the three it is.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Owner } from "@lading/postgres"
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { access } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Administration from "../server/admin/Administration.ts"
import type { CannotStart } from "../server/CannotStart.ts"
import type { Configuration } from "../server/Configuration.ts"
import * as Installation from "../server/Installation.ts"
import type * as Failure from "./Failure.ts"
import * as Holder from "./Holder.ts"
import * as Remote from "./Remote.ts"
import { configured } from "./Setting.ts"

/** The folder holds no installation, and the command does not begin one. */
export class NothingThere extends Schema.TaggedError<NothingThere>()("NothingThere", { folder: Schema.String }) {}

export type Operations = Administration.Operations<Failure.Failure>

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
  if (owner !== null) return yield* new Holder.Held(owner)
  if (!begins && !(yield* exists(join(folder, "postgres")))) return yield* new NothingThere({ folder })
  return yield* here(configuration).pipe(
    // Somebody may have been faster.
    Effect.catch((error) =>
      Effect.flatMap(Owner.read(folder), (owner) => Effect.fail(owner === null ? error : new Holder.Held(owner)))
    )
  )
})

const open = ({ begins, configuration }: { readonly configuration: Configuration; readonly begins: boolean }) => {
  if (configuration.databaseUrl !== null) return here(configuration)
  const folder = resolve(configuration.dataDir)
  return Holder.awaited(folder, inFolder(configuration, folder, begins))
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
