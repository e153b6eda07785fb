/** `/api/admin/trade/loads` with promises: how records come into the customs store of a running server, part by part. */
import { Effect, Schema, Stream } from "effect"
import * as Loads from "../api/Loads.ts"
import { type CallOptions, type Client, got, headers, type Plain, type ReadOptions, run, sent } from "./Call.ts"

/** The head of a part, and its rows, in the order in which they are written. */
export type Part = readonly [typeof Loads.PartHead.Encoded, ...ReadonlyArray<typeof Loads.Row.Encoded>]

export const connect = ({ admin }: Client) => ({
  listLoads: (options: ReadOptions = {}): Plain<typeof Loads.LoadList> =>
    got(Loads.LoadList, admin.listLoads(), options),
  beginLoad: (request: typeof Loads.NewLoad.Encoded, options: CallOptions = {}): Plain<typeof Loads.Begun> =>
    sent(
      [Loads.NewLoad, Loads.Begun],
      request,
      (payload) => admin.beginLoad({ payload, headers: headers(options) }),
      options
    ),
  /** Under the lease of the answer that began the load; `part` counts from 0. */
  writeLoad: (
    params: { readonly load: number; readonly part: number; readonly lease: string },
    part: Part,
    options: ReadOptions = {}
  ): Plain<typeof Loads.Progress> =>
    run(
      Schema.decodeEffect(Schema.Array(Loads.Line))(part).pipe(
        Effect.flatMap((lines) => {
          const { lease, ...path } = params
          return admin.writeLoad({ params: path, query: { lease }, payload: Stream.fromIterable(lines) })
        }),
        Effect.flatMap(({ body }) => Schema.encodeEffect(Loads.Progress)(body.data))
      ),
      options
    ),
  publishLoad: (
    { lease, load }: { readonly load: number; readonly lease: string },
    options: ReadOptions = {}
  ): Plain<typeof Loads.Publication> =>
    got(Loads.Publication, admin.publishLoad({ params: { load }, query: { lease } }), options),
  abandonLoad: (load: number, options: ReadOptions = {}): Plain<typeof Loads.Abandoned> =>
    got(Loads.Abandoned, admin.abandonLoad({ params: { load } }), options)
})
