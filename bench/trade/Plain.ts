/** A column store asked by hand: text in, rows out, nothing read of them. */
import { createClient } from "@clickhouse/client"
import { createChdbConnection } from "chdb/connection"

export type Row = { readonly [column: string]: unknown; readonly n: number }

/** A literal. */
export const text = (value: string): string => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

export interface Plain extends AsyncDisposable {
  readonly rows: (statement: string) => Promise<ReadonlyArray<Row>>
  readonly run: (statement: string) => Promise<void>
}

type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>["connection"]>

/** The same folder may be open in this process a second time. */
export const open = async (folder: string): Promise<Plain> => {
  const connection = createChdbConnection({ path: folder })
  // The two packages declare the connection twice, with a class of settings that is the same but for its place.
  const client = createClient({ connection: connection as unknown as Connection })
  return {
    rows: async (query) => (await client.query({ query, format: "JSONEachRow" })).json<Row>(),
    run: async (query) => {
      await client.command({ query })
    },
    [Symbol.asyncDispose]: () => client.close()
  }
}
