/**
 * Names every wrong field of a request: the path and what was expected there. The value itself is never repeated, since
 * it may be a secret: issues do not hold it (`reportInput` is off), and every message says only what was expected.
 */
import type { InvalidRequest } from "@lading/core/request"
import { Fault } from "@lading/core/value"
import type { SchemaIssue } from "effect"

/** More than these are only counted: a body of nothing but wrong values must not make an answer larger than itself. */
export const limit = 100

/** The first `limit` of them, and how many more there are. */
export const bounded = (details: ReadonlyArray<InvalidRequest.Detail>): ReadonlyArray<InvalidRequest.Detail> =>
  details.length <= limit
    ? details
    : [...details.slice(0, limit), { path: "", message: `and ${details.length - limit} more` }]

export const fromIssue = (issue: SchemaIssue.Issue): ReadonlyArray<InvalidRequest.Detail> => bounded(Fault.of(issue))
