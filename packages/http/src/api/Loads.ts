/**
 * What administrators ask and are told of loads of customs records: the port `TradeLoads` over HTTP. A part of a load is
 * newline-delimited JSON, its head and then a row a line, so that neither side holds it as one text.
 *
 * Gotcha: whoever begins a load gets a lease on it. Somebody who begins it again gets another one, and a server that was
 * started anew knows none: then what is asked under the old one is refused, since nobody knows any more how far it came.
 */
import { TradeLoads, TradeRecord } from "@lading/core/trade"
import { CalendarDate } from "@lading/core/value"
import { Schema } from "effect"

/** The longest part in bytes. */
export const partLimit = 128 * 1024 * 1024

/** The longest line of one in bytes. */
export const lineLimit = 1024 * 1024

/** The most rows of a part. */
export const rowLimit = 50_000

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Every text is kept in the journal of loads, with each of its steps. */
const text = (longest: number) =>
  Schema.String.check(
    Schema.isMaxLength(longest),
    Schema.makeFilter((text) => text.trim() !== "" || "Expected a text, not blank")
  )

const { firstDay, lastDay } = TradeRecord

const isKept = (day: string): boolean => firstDay <= day && day <= lastDay && CalendarDate.isDate(day)

const Day = Schema.String.check(
  Schema.makeFilter((day) => isKept(day) || `Expected a date from ${firstDay} to ${lastDay} as YYYY-MM-DD`)
)

const [OfFile, OfDates] = TradeLoads.Replaces.members

const Replaces = Schema.Union([
  Schema.Struct({ ...OfFile.fields, name: text(20_000) }),
  Schema.Struct({ ...OfDates.fields, source: text(100), from: Day, to: Day }).check(
    Schema.makeFilter(({ from, to }) =>
      from <= to ? undefined : { path: ["to"], issue: "Expected a date that is not before from" }
    )
  )
])

export const NewLoad = Schema.Struct({
  name: text(20_000).annotate({ description: "What people call it: the names of the files" }),
  digest: Schema.String.annotate({ description: "SHA-256 of the bytes, in hexadecimal" }).check(
    Schema.isPattern(/^[0-9a-f]{64}$/, { expected: "64 hexadecimal digits in lower case" })
  ),
  format: text(100),
  replaces: Schema.NullOr(Replaces).annotate({ description: "What its publication takes the place of" })
})
export type NewLoad = typeof NewLoad.Type

const progress = {
  parts: Count.annotate({ description: "Parts that were written" }),
  position: Schema.NullOr(Schema.String).annotate({ description: "Of the last part; null before the first" }),
  rows: Count,
  rejected: Count
}

export const Progress = Schema.Struct(progress).annotate({ identifier: "LoadProgress" })
export type Progress = typeof Progress.Type

export const Begun = Schema.Struct({
  load: Count,
  state: Schema.Literals(["fresh", "published", "resumed"]),
  lease: Schema.NullOr(Schema.String).annotate({
    description: "Under which it is written and published; null where these bytes are published already"
  }),
  ...progress
}).annotate({ identifier: "BegunLoad" })
export type Begun = typeof Begun.Type

/** A whole number from 0, in a path. */
const Number = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 }))

export const LoadPath = { load: Number }
export const PartPath = { load: Number, part: Number.annotate({ description: "How many were written before it" }) }

export const Lease = { lease: text(100).annotate({ description: "Of the answer that began the load" }) }

/** The first line of a part. */
export const PartHead = Schema.Struct({
  position: Schema.String.check(Schema.isMaxLength(100_000)).annotate({
    description: "Where reading goes on behind it, in the reader's own words"
  }),
  rejected: Count.annotate({ description: "Rows of the file that were refused on the way to this part" }),
  rows: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: rowLimit })).annotate({
    description: "How many lines follow"
  })
}).annotate({ identifier: "LoadPartHead" })
export type PartHead = typeof PartHead.Type

const TraderId = Schema.NullOr(
  Schema.String.check(Schema.isPattern(/^[1-9]\d{0,19}$/, { expected: "the id of a trader: up to 20 digits" }))
)

const Country = Schema.NullOr(
  Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/, { expected: "an ISO 3166-1 alpha-2 code" }))
)

const Party = Schema.Struct({ ...TradeRecord.Party.fields, country: Country })

/** A row of a part: a trade record as a store takes it. */
export const Row = Schema.Struct({
  record: Schema.Struct({
    ...TradeRecord.TradeRecord.fields,
    source: text(100),
    key: Schema.String.check(Schema.isMinLength(1)),
    date: Day,
    importer: Party,
    exporter: Party,
    origin_country: Country,
    destination_country: Country,
    hs_code: Schema.NullOr(
      Schema.String.check(Schema.isPattern(/^(?:\d{2}){1,3}$/, { expected: "two, four or six digits" }))
    )
  }),
  importer_id: TraderId,
  exporter_id: TraderId
}).annotate({ identifier: "TradeRow" })

export const Line = Schema.Union([PartHead, Row])
export type Line = typeof Line.Type

const Instant = Schema.Int.annotate({ description: "Milliseconds since 1970: the last time that something happened" })

export const LoadList = Schema.Struct({
  list: Schema.Array(
    Schema.Struct({
      load: Count,
      name: Schema.String,
      format: Schema.String,
      state: Schema.Literals(["abandoned", "open", "published"]),
      at: Instant,
      ...progress
    })
  ),
  next_cursor: Schema.Null
}).annotate({ identifier: "LoadList" })
export type LoadList = typeof LoadList.Type

/** How a publication stands. */
export const Publication = Schema.Struct({
  state: Schema.Literals(["publishing", "published"]).annotate({
    description: "publishing: it takes its time, ask again"
  }),
  added: Schema.NullOr(Count),
  replaced: Schema.NullOr(Count),
  records: Schema.NullOr(Count).annotate({
    description: "All that count; null while it is published, as are the others"
  })
}).annotate({ identifier: "LoadPublication" })
export type Publication = typeof Publication.Type

export const Abandoned = Schema.Struct({ load: Count, state: Schema.Literal("abandoned") })
