/**
 * What is wrong with something that was decoded by a schema, for whoever wrote it: each place and what was expected there.
 * Never the value itself, which may be a secret (`reportInput` has to be off).
 */
import { SchemaIssue } from "effect"

export interface Fault {
  /** `identity.domains[0]`; empty for the whole. */
  readonly path: string
  readonly message: string
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "MissingKey"
      ? "Expected a value, got none"
      : issue._tag === "UnexpectedKey"
        ? "Nothing of this name is known here"
        : SchemaIssue.defaultLeafHook(issue)
})

type Segment = PropertyKey | { readonly key: PropertyKey }

const pathOf = (segments: ReadonlyArray<Segment>): string =>
  segments.reduce<string>((text, segment) => {
    const key = typeof segment === "object" ? segment.key : segment
    if (typeof key === "number") return `${text}[${key}]`
    return text === "" ? String(key) : `${text}.${String(key)}`
  }, "")

/** An optional field also takes `undefined`, which neither JSON nor YAML has. */
const written = (message: string): string => message.replace(" | undefined", "")

export const of = (issue: SchemaIssue.Issue): ReadonlyArray<Fault> =>
  format(issue).issues.map(({ message, path = [] }) => ({ path: pathOf(path), message: written(message) }))

/** `amount.kind: Expected …`, each once. */
export const lines = (faults: ReadonlyArray<Fault>): ReadonlyArray<string> => [
  ...new Set(faults.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)))
]
