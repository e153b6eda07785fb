/** An operator's own rules, read before ours: a YAML or JSON file, a list of `Rule`. `docs/email.md` has an example. */
import { Fault } from "@lading/core/value"
import { Effect, Schema } from "effect"
import { parse as parseYaml, YAMLParseError } from "yaml"
import { Rule } from "./Rule.ts"
import { rules as ours } from "./Rules.ts"

/** The file cannot be used; `problem` has one line for each fault, with its path and what was expected there. */
export class RuleFileError extends Schema.TaggedError<RuleFileError>()("RuleFileError", {
  file: Schema.String,
  problem: Schema.String
}) {}

const decode = Schema.decodeUnknownEffect(Schema.Array(Rule), { errors: "all", onExcessProperty: "error" })

/** YAML reads the code `550` as a number. */
const texted = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value
  return value.map((rule: unknown) => {
    if (typeof rule !== "object" || rule === null || !("codes" in rule) || !Array.isArray(rule.codes)) return rule
    return { ...rule, codes: rule.codes.map((code: unknown) => (typeof code === "number" ? String(code) : code)) }
  })
}

const repeated = (rules: ReadonlyArray<Rule>): ReadonlyArray<string> => {
  const taken = new Set(ours.map(({ name }) => name))
  return rules.flatMap(({ name }, at) => {
    if (taken.has(name)) return [`[${at}].name: Expected a name of its own, ${JSON.stringify(name)} is taken`]
    taken.add(name)
    return []
  })
}

/** The rules of a file. `file` is its name, for the error. */
export const parse = Effect.fnUntraced(function* (file: string, text: string) {
  const fail = (problem: string) => new RuleFileError({ file, problem })
  const said: unknown = yield* Effect.try({
    // Aliases are a way of writing very much in few words.
    try: (): unknown => parseYaml(text, { maxAliasCount: 100, prettyErrors: true }),
    catch: (cause) => fail(cause instanceof YAMLParseError ? `it is no YAML: ${cause.message}` : "it is no YAML")
  })
  const rules = yield* Effect.mapError(decode(texted(said)), (error) =>
    fail(Fault.lines(Fault.of(error.issue)).join("\n"))
  )
  const wrong = repeated(rules)
  return wrong.length === 0 ? rules : yield* fail(wrong.join("\n"))
})
