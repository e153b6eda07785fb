/**
 * The columns of an enriched row: for each profile field its columns and its source beside them, then what became of the
 * row. Read from the schema of the profile, so that a new field is a new column.
 *
 * A list is one cell, joined by `; `; a group is a column for each member (`hq.city`); a list of objects is a column for
 * each member, joined in the same order (`emails.email`, `emails.status`).
 */
import { CompanyProfile } from "@lading/core/company"
import { PersonProfile } from "@lading/core/person"
import { Credits } from "@lading/core/billing"
import { SchemaAST } from "effect"
import type { Kind } from "./Columns.ts"
import type * as Layout from "./Layout.ts"
import type { Outcome } from "./Outcome.ts"

type Column = Layout.Column<Outcome>

type Profile = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Profile =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const separator = "; "

const text = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.map(text).join(separator)
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** A member of a group, or of every object of a list; blank where none of them has it. */
const member = (value: unknown, name: string): string => {
  if (isRecord(value)) return text(value[name])
  if (!Array.isArray(value)) return ""
  const all = value.map((one) => (isRecord(one) ? text(one[name]) : ""))
  return all.every((one) => one === "") ? "" : all.join(separator)
}

const members = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const inner = SchemaAST.isArrays(ast) ? ast.rest[0] : ast
  return inner !== undefined && SchemaAST.isObjects(inner)
    ? inner.propertySignatures.map(({ name }) => String(name))
    : []
}

const ofField = (name: string, type: SchemaAST.AST): ReadonlyArray<Column> => {
  const inner = members(type)
  const value = ({ profile }: Outcome): unknown => (profile === null ? null : profile[name])
  const columns =
    inner.length === 0
      ? [{ head: name, cell: (outcome: Outcome) => text(value(outcome)) }]
      : inner.map((one) => ({ head: `${name}.${one}`, cell: (outcome: Outcome) => member(value(outcome), one) }))
  return [...columns, { head: `${name}_source`, cell: ({ sources }) => sources[name] ?? "" }]
}

const ofProfile = (ast: SchemaAST.AST): ReadonlyArray<Column> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.flatMap(({ name, type }) => ofField(String(name), type)) : []

const ending: ReadonlyArray<Column> = [
  { head: "status", cell: ({ status }) => status },
  { head: "error", cell: ({ error }) => error },
  { head: "budget_exhausted", cell: ({ budget_exhausted }) => budget_exhausted.join(separator) },
  { head: "credits", cell: ({ credits }) => String(Credits.toNumber(credits)) },
  { head: "request_id", cell: ({ request_id }) => request_id }
]

export const of: Readonly<Record<Kind, ReadonlyArray<Column>>> = {
  company: [...ofProfile(CompanyProfile.ast), ...ending],
  person: [...ofProfile(PersonProfile.ast), ...ending]
}

/** What a line of JSON says of it. */
export const line = ({ answer, credits, error, request_id, status }: Outcome): object => ({
  status,
  error,
  credits: Credits.toNumber(credits),
  request_id,
  answer
})
