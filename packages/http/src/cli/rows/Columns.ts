/** Which column of a file says what: known by its name in several spellings, or named by whoever asks. */
import { Effect, Option } from "effect"
import { CannotBegin } from "./Problem.ts"

export type Kind = "company" | "person"

export type Field = "domain" | "name" | "first_name" | "last_name"

/** What a row of each kind is asked by. */
const fieldsOf: Readonly<Record<Kind, ReadonlyArray<Field>>> = {
  company: ["domain", "name"],
  person: ["first_name", "last_name", "domain"]
}

/** Names of columns, folded, the better ones first. */
const synonyms: Readonly<Record<Field, ReadonlyArray<string>>> = {
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

/** `Company-Domain`, `companyDomain` and `company domain` are one name. */
const fold = (name: string): string =>
  name
    .trim()
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "")

export interface Columns {
  readonly kind: Kind
  /** The position of each field's column, where it has one. */
  readonly at: Readonly<Partial<Record<Field, number>>>
}

type Mapping = Readonly<Record<string, string>>

/** `domain=Website,name="Firm, full name"`: a field, then the name of its column, in quotes where it has a comma. */
const one = /\s*([a-z_]+)\s*=\s*(?:"([^"]*)"|([^,"]*))\s*(?:,|$)/gy

const isField = (name: string): name is Field => Object.hasOwn(synonyms, name)

/** What `--columns` says. */
export const mapping = (text: string): Effect.Effect<Mapping, CannotBegin> => {
  const found = [...text.matchAll(one)]
  const whole = found.reduce((length, [match]) => length + match.length, 0) === text.length
  const wrong = found.map(([, field = ""]) => field).filter((field) => !isField(field))
  if (!whole || found.length === 0 || wrong.length > 0) {
    const fields = Object.keys(synonyms).join(", ")
    const problem = `--columns: expected e.g. domain=Website,name="Firm", with fields out of ${fields}`
    return Effect.fail(new CannotBegin({ problem }))
  }
  return Effect.succeed(Object.fromEntries(found.map(([, field = "", quoted, bare]) => [field, quoted ?? bare ?? ""])))
}

const columnsOf = (header: ReadonlyArray<string>): string => header.map((name) => JSON.stringify(name)).join(", ")

/** The column of a field: the one that was named, else the first that has one of its spellings. */
const find = (header: ReadonlyArray<string>, field: Field, named: Mapping): number => {
  const name = named[field]
  if (name !== undefined) return header.findIndex((column) => column.trim() === name.trim())
  const folded = header.map(fold)
  const taken = Object.values(named)
  const spelling = synonyms[field].find((spelling) => {
    const position = folded.indexOf(spelling)
    return position !== -1 && !taken.includes(header[position] ?? "")
  })
  return spelling === undefined ? -1 : folded.indexOf(spelling)
}

const expected =
  "expected domain or company for companies, or first_name, last_name and domain for persons; --columns names them otherwise, e.g. --columns domain=Website"

/** Persons, where there is anything that only a person has. */
const kindOf = (header: ReadonlyArray<string>, named: Mapping): Kind =>
  find(header, "first_name", named) !== -1 || find(header, "last_name", named) !== -1 ? "person" : "company"

const complaint = (header: ReadonlyArray<string>, kind: Kind, at: Columns["at"], named: Mapping): string | null => {
  for (const [field, name] of Object.entries(named)) {
    if (!fieldsOf[kind].some((known) => known === field))
      return `--columns: ${field} is nothing that a ${kind} is asked by`
    if (!header.some((column) => column.trim() === name.trim())) {
      return `--columns: there is no column ${JSON.stringify(name)}; found ${columnsOf(header)}`
    }
  }
  const enough =
    kind === "person" ? at.first_name !== undefined && at.last_name !== undefined : Object.keys(at).length > 0
  return enough ? null : `no column to ask by: found ${columnsOf(header)}; ${expected}`
}

/** The columns of a header, or what was found and what was expected. */
export const recognise = (
  header: ReadonlyArray<string>,
  named: Mapping,
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
