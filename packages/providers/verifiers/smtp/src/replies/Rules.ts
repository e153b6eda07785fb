/** Our rules, in the order in which they are asked. */
import type { Rule } from "./Rule.ts"
import * as ByCode from "./rules/ByCode.ts"
import * as OfHost from "./rules/OfHost.ts"
import * as OfMailbox from "./rules/OfMailbox.ts"
import * as OfUs from "./rules/OfUs.ts"

export const rules: ReadonlyArray<Rule> = [
  ...OfHost.done,
  ...OfMailbox.busy,
  ...OfHost.ofCommand,
  ...OfUs.sure,
  ...OfHost.waiting,
  ...OfMailbox.closed,
  ...OfHost.notServed,
  ...OfMailbox.unknown,
  ...OfUs.vague,
  ...ByCode.rules
]
