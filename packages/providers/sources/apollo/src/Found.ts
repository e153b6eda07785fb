/**
 * What a 200 of Apollo's holds: a record, nothing, or something that was not promised.
 *
 * Gotchas
 * - How a 200 says "nobody known" is not documented. The record may be `null`, missing from Apollo's own envelope, or an
 *   empty object: all three are read as a miss. A body with other members in its place is another shape.
 * - Several clients met a 200 with an error text in it; what speaks of credits is looked for before a miss is.
 */
import { SourceError } from "@lading/core/waterfall"
import { Effect } from "effect"
import * as Refusal from "./Refusal.ts"

/** What stands beside a record, and alone where there is none. */
const ENVELOPE: ReadonlySet<string> = new Set([
  "request_id",
  "waterfall",
  "status",
  "message",
  "credits_consumed",
  "missing_records",
  "unique_enriched_records",
  "total_requested_enrichments"
])

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const another = (problem: string) => Effect.fail(new SourceError.InvalidResponse({ source: Refusal.source, problem }))

/** What a record, a list of them, or the word on a key stands under. */
export type Name = "person" | "organization" | "people" | "organizations" | "is_logged_in"

/** Whether the body has nothing under that name and says that it is for want of credits. */
export const isUnpaid = (name: Name, body: unknown): boolean => {
  if (!isRecord(body)) return false
  const record = body[name]
  return (typeof record !== "object" || record === null) && Refusal.speaksOfCredits(body)
}

/** Whether there is a record under `name` in the body of a 200; `false` for Apollo's ways to say that there is none. */
export const found = (name: Name, body: unknown): Effect.Effect<boolean, SourceError.InvalidResponse> => {
  if (!isRecord(body)) return another("no object at the root")
  const record = body[name]
  if (record === undefined) {
    const stranger = Object.keys(body).some((key) => !ENVELOPE.has(key))
    return stranger ? another(`missing field at ${name}`) : Effect.succeed(false)
  }
  return Effect.succeed(record !== null && !(isRecord(record) && Object.keys(record).length === 0))
}
