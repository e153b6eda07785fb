/**
 * What a reply of a mail host is about. The order of the rules matters more than any of them: what speaks of us is read
 * before what speaks of the mailbox, text before the codes of RFC 3463, and the basic code alone decides nearly nothing.
 * `docs/email.md` says why, with figures.
 */
import type { Evidence } from "@lading/core/email"
import * as PhraseIndex from "./PhraseIndex.ts"
import type { Rule } from "./Rule.ts"
import { rules as ours } from "./Rules.ts"
import * as Words from "./Words.ts"

/** A reply, and what is known of the host that gave it. */
export interface Said {
  readonly stage: Evidence.Stage
  /** RFC 5321, 4.2. */
  readonly code: number
  /** RFC 3463; `null` where the reply does not begin with one: it is then looked for in the text. */
  readonly enhanced: string | null
  /** All lines, joined by a blank or a line feed. */
  readonly text: string
  /** The group of the host, `google`. */
  readonly provider: string | null
  /** Whether it took another recipient in this session. */
  readonly served: boolean
}

export interface Reading {
  readonly class: Evidence.ReplyClass
  /** The name of the rule that decided. */
  readonly rule: string
  /**
   * What the reply may be taken for if it is the same after the last repetition, with little confidence; `null` where it
   * says nothing. `450 4.1.1 user unknown` is `temporary`, and at last `unknown_user`.
   */
  readonly at_last: Evidence.ReplyClass | null
}

export interface Classifier {
  /** In the order in which they are asked. */
  readonly rules: ReadonlyArray<Rule>
  readonly read: (said: Said) => Reading
}

type Test = (said: Said, code: string, enhanced: string | null, phrases: ReadonlySet<string>) => boolean

const codeFits = (pattern: string, code: string): boolean =>
  code.length === 3 && [...pattern].every((sign, at) => sign === "x" || sign === code[at])

const numberFits = (pattern: string | undefined, text: string | undefined): boolean => {
  if (pattern === "x" || pattern === text) return true
  const [from, to] = (pattern ?? "").split("-").map(Number)
  return from !== undefined && to !== undefined && from <= Number(text) && Number(text) <= to
}

const enhancedFits = (pattern: string, enhanced: string | null): boolean => {
  if (enhanced === null) return pattern === "none"
  const wanted = pattern.split(".")
  return wanted.length === 3 && enhanced.split(".").every((part, at) => numberFits(wanted[at], part))
}

/** The conditions of a rule, cheapest first. */
const testOf = (rule: Rule): Test => {
  const stages = rule.stages === undefined ? null : new Set(rule.stages)
  const { codes, enhanced, providers, served, phrases, except } = rule
  return (said, code, found, present) =>
    (stages === null || stages.has(said.stage)) &&
    (codes === undefined || codes.some((pattern) => codeFits(pattern, code))) &&
    (served === undefined || served === said.served) &&
    (providers === undefined || (said.provider !== null && providers.includes(said.provider))) &&
    (enhanced === undefined || enhanced.some((pattern) => enhancedFits(pattern, found))) &&
    (phrases === undefined || phrases.some((phrase) => present.has(phrase))) &&
    (except === undefined || !except.some((phrase) => present.has(phrase)))
}

/** A reader by these rules, then ours. An operator's rules are decoded by `RuleFile.parse`. */
export const make = (first: ReadonlyArray<Rule> = []): Classifier => {
  const rules = [...first, ...ours]
  const index = PhraseIndex.make(rules.flatMap(({ phrases = [], except = [] }) => [...phrases, ...except]))
  const tests = rules.map((rule) => ({ rule, fits: testOf(rule) }))

  const read = (said: Said): Reading => {
    const enhanced = said.enhanced ?? Words.enhanced(said.code, said.text)
    const present = index.found(Words.of(said.text))
    const code = String(said.code)
    const decided = tests.find(({ fits }) => fits(said, code, enhanced, present))?.rule
    if (decided === undefined) return { class: "unclear", rule: "none", at_last: null }
    return { class: decided.class, rule: decided.name, at_last: decided.at_last ?? null }
  }
  return { rules, read }
}
