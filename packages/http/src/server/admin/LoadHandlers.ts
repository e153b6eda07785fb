/** The endpoints under `/api/admin/trade/loads`: the body of a part is read here, all else is `Loading`. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as Loads from "../../api/Loads.ts"
import { Exchange } from "../Exchange.ts"
import type * as Operation from "../Operation.ts"
import * as Unbilled from "../Unbilled.ts"
import type { Loading, LoadingError } from "./Loading.ts"
import * as PartBody from "./PartBody.ts"

/** How long a step may take in milliseconds: what a process has left that died is cleared away first. */
const time = 600_000

interface OfLoad {
  readonly params: { readonly load: number }
}

interface UnderLease extends OfLoad {
  readonly query: { readonly lease: string }
}

interface OfPart extends UnderLease {
  readonly params: { readonly load: number; readonly part: number }
  readonly request: HttpServerRequest.HttpServerRequest
}

export const make = ({ abandon, begin, list, publish, write }: Loading["Service"], limits: Operation.Limits) => ({
  begin: Unbilled.of({
    name: "admin.begin_load",
    request: Loads.NewLoad,
    kept: Loads.Begun,
    time,
    run: (request): Effect.Effect<Loads.Begun, LoadingError> => begin(request)
  }),
  // What has come in whole is written, whether its client waits for the answer or not.
  write: Effect.fnUntraced(function* ({ params, query, request }: OfPart) {
    const { request_id } = yield* Exchange
    const part = yield* PartBody.read(request, request_id)
    const written: Effect.Effect<Loads.Progress, LoadingError> = write(
      { load: params.load, lease: query.lease },
      params.part,
      part
    )
    return yield* Unbilled.step(written, limits, { outlives: true, time })
  }),
  publish: ({ params, query }: UnderLease) => Unbilled.step(publish({ load: params.load, lease: query.lease }), limits),
  abandon: ({ params: { load } }: OfLoad) =>
    Unbilled.step(Effect.as(abandon(load), { load, state: "abandoned" as const }), limits, { outlives: true, time }),
  list: Unbilled.read(
    Effect.map(list, (list): Loads.LoadList => ({ list, next_cursor: null })),
    limits
  )
})
