/** Which column of a file says what: known by its name in several spellings, or named by whoever asks. */
import { Effect, Option } from "effect"
import * as Names from "./Names.ts"
import { CannotBegin } from "./Problem.ts"

export type Kind = "company" | "person"

export type Field = "domain" | "name" | "first_name" | "last_name"

/** What a row of each kind is asked by. */
const fieldsOf: Readonly<Record<Kind, ReadonlyArray<Field>>> = {
  company: ["domain", "name"],
  person: ["first_name", "last_name", "domain"]
}

/** Names of columns, folded, the better ones first. */
const synonyms: Names.Vocabulary<Field> = {
  domain: (
    "domain company_domain domain_name primary_domain website company_website website_url web_site company_url url " +
    "homepage web site"
  ).split(" "),
  name: (
    "company company_name organisation organization organisation_name organization_name account_name firm firma " +
    "employer name"
  ).split(" "),
  first_name: "first_name firstname given_name givenname forename first vorname".split(" "),
  last_name: "last_name lastname family_name familyname surname last nachname".split(" ")
}

export interface Columns {
  readonly kind: Kind
  /** The position of each field's column, where it has one. */
  readonly at: Readonly<Partial<Record<Field, number>>>
}

/** What `--columns` says. */
export const mapping = (text: string): Effect.Effect<Names.Mapping, CannotBegin> =>
  Names.mapping(text, synonyms, 'domain=Website,name="Firm"')

const find = (header: ReadonlyArray<string>, field: Field, named: Names.Mapping): number =>
  Names.position(header, synonyms, field, named)

const expected =
  "expected domain or company for companies, or first_name, last_name and domain for persons; --columns names them otherwise, e.g. --columns domain=Website"

/** Persons, where there is anything that only a person has. */
const kindOf = (header: ReadonlyArray<string>, named: Names.Mapping): Kind =>
  find(header, "first_name", named) !== -1 || find(header, "last_name", named) !== -1 ? "person" : "company"

const complaint = (
  header: ReadonlyArray<string>,
  kind: Kind,
  at: Columns["at"],
  named: Names.Mapping
): string | null => {
  const foreign = Object.keys(named).find((field) => !fieldsOf[kind].some((known) => known === field))
  if (foreign !== undefined) return `--columns: ${foreign} is nothing that a ${kind} is asked by`
  const missing = Names.missing(header, named)
  if (missing !== null) return missing
  const enough =
    kind === "person" ? at.first_name !== undefined && at.last_name !== undefined : Object.keys(at).length > 0
  return enough ? null : `no column to ask by: found ${Names.listed(header)}; ${expected}`
}

/** The columns of a header, or what was found and what was expected. */
export const recognise = (
  header: ReadonlyArray<string>,
  named: Names.Mapping,
  wanted: Option.Option<Kind>
): Effect.Effect<Columns, CannotBegin> => {
  const kind = Option.getOrElse(wanted, () => kindOf(header, named))
  const found = fieldsOf[kind].map((field) => [field, find(header, field, named)] as const)
  const at: Columns["at"] = Object.fromEntries(found.filter(([, position]) => position !== -1))
  const problem = complaint(header, kind, at, named)
  return problem === null ? Effect.succeed({ kind, at }) : Effect.fail(new CannotBegin({ problem }))
}

/** In words, so that a wrong guess is seen at once. */
export const told = ({ at, kind }: Columns, header: ReadonlyArray<string>): string =>
  `${kind === "person" ? "Persons" : "Companies"}: ${Object.entries(at)
    .map(([field, position]) => `${field} from ${JSON.stringify(header[position])}`)
    .join(", ")}`
