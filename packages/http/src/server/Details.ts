/**
 * Names every wrong field of a request: the path and what was expected there. The value itself is never repeated, since
 * it may be a secret: issues do not hold it (`reportInput` is off), and every message says only what was expected.
 */
import type { InvalidRequest } from "@lading/core/request"
import { SchemaIssue } from "effect"

/** More than these are only counted: a body of nothing but wrong values must not make an answer larger than itself. */
export const limit = 100

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? "Expected a value, got none" : SchemaIssue.defaultLeafHook(issue))
})

/** An optional field also takes `undefined`, which JSON does not have. */
const inJson = (message: string): string => message.replace(" | undefined", "")

type Segment = PropertyKey | { readonly key: PropertyKey }

/** `identity.domains[0]`; the request itself is the empty path. */
const path = (segments: ReadonlyArray<Segment>): string =>
  segments.reduce<string>((text, segment) => {
    const key = typeof segment === "object" ? segment.key : segment
    if (typeof key === "number") return `${text}[${key}]`
    return text === "" ? String(key) : `${text}.${String(key)}`
  }, "")

/** The first `limit` of them, and how many more there are. */
export const bounded = (details: ReadonlyArray<InvalidRequest.Detail>): ReadonlyArray<InvalidRequest.Detail> =>
  details.length <= limit
    ? details
    : [...details.slice(0, limit), { path: "", message: `and ${details.length - limit} more` }]

export const fromIssue = (issue: SchemaIssue.Issue): ReadonlyArray<InvalidRequest.Detail> =>
  bounded(format(issue).issues.map((found) => ({ path: path(found.path ?? []), message: inJson(found.message) })))
