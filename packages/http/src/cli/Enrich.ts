/**
 * `lading enrich company` and `lading enrich person`: one question to the configured sources, without a server. Nothing
 * is billed and nothing is kept.
 */
import { CompanyEnrichment } from "@lading/core/company"
import { PersonEnrichment } from "@lading/core/person"
import { Named } from "@lading/core/request"
import type { Explanation, WaterfallMeta } from "@lading/core/waterfall"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type * as Failure from "./Failure.ts"
import * as Local from "./Local.ts"
import * as Print from "./Print.ts"
import { configured } from "./Setting.ts"
import * as Rows from "./rows/Command.ts"
import * as Table from "./Table.ts"

const verifyEmails = Flag.Boolean("verify-emails").pipe(
  Flag.withDescription("Of people: verify the addresses that are found, and leave out those that take no mail"),
  Flag.withDefault(false)
)

const common = {
  mode: Flag.Literals("mode", ["first_match", "aggregate", "fill_missing"]).pipe(
    Flag.withDescription("Stop at the first source that answers, merge all of them, or go on for what is missing"),
    Flag.withDefault("first_match")
  ),
  sourceOrder: Flag.String("source-order").pipe(
    Flag.withDescription("Sources to ask, in this order, with commas between them; or cheapest"),
    Flag.withMetavar("<provider_c,provider_a>"),
    Flag.optional
  ),
  explain: Flag.Boolean("explain").pipe(
    Flag.withDescription("Show the values that lost, and why"),
    Flag.withDefault(false)
  ),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print the result as JSON, and nothing else"),
    Flag.withDefault(false)
  ),
  sandbox: Flag.Boolean("sandbox").pipe(
    Flag.withDescription("Ask the simulated vendors of the sandbox: synthetic data"),
    Flag.withDefault(false)
  )
}

interface Common {
  readonly mode: "first_match" | "aggregate" | "fill_missing"
  readonly sourceOrder: Option.Option<string>
  readonly explain: boolean
  readonly json: boolean
  readonly sandbox: boolean
  readonly verifyEmails: boolean
}

const orderOf = (text: string): "cheapest" | ReadonlyArray<string> =>
  text === "cheapest" ? text : text.split(",").map((name) => name.trim())

const asked = ({ explain, mode, sourceOrder, verifyEmails }: Common) => ({
  waterfall: {
    mode,
    ...(Option.isSome(sourceOrder) ? { source_order: orderOf(sourceOrder.value.trim()) } : {}),
    ...(verifyEmails ? { verify_emails: true } : {})
  },
  response: { include_explanation: explain }
})

const withCore = <A, E extends Failure.Failure>(question: Effect.Effect<A, E, Local.UseCases>, wanted: Common) =>
  configured((configuration) =>
    Effect.scoped(Effect.flatMap(Local.open(configuration, wanted), (core) => Effect.provide(question, core)))
  )

const reasons = (all: ReadonlyArray<{ readonly source: string; readonly reason: string }>): string =>
  all.map(({ reason, source }) => `${source} (${reason})`).join(", ")

const verdicts = (all: NonNullable<WaterfallMeta["verified_emails"]>): string =>
  all
    .map(({ email, reason, status }) => `${email} (${reason === null ? status : `not verified: ${reason}`})`)
    .join(", ")

/** What became of each source. */
const story = ({
  async_pending,
  sources_attempted,
  sources_failed,
  sources_skipped,
  verified_emails = []
}: WaterfallMeta): ReadonlyArray<string> => [
  "",
  `Asked: ${sources_attempted.length === 0 ? "nobody" : sources_attempted.join(", ")}`,
  ...(async_pending
    ? ["A source is still working on its answer; a server goes on with it, this command does not"]
    : []),
  ...(sources_failed.length === 0 ? [] : [`Failed: ${reasons(sources_failed)}`]),
  ...(sources_skipped.length === 0 ? [] : [`Skipped: ${reasons(sources_skipped)}`]),
  ...(verified_emails.length === 0 ? [] : [`Verified: ${verdicts(verified_emails)}`])
]

const losses = (explanation: Explanation.Explanation | undefined): ReadonlyArray<string> => {
  if (explanation === undefined) return []
  const lost = Object.entries(explanation.fields).flatMap(([field, { losers }]) =>
    losers.map(({ reason, source, value }) => `  ${field}: ${Table.text(value)} of ${source} (${reason})`)
  )
  return lost.length === 0 ? [] : ["", "Lost:", ...lost]
}

interface Shown {
  readonly result: unknown
  readonly profile: object
  readonly sources: Readonly<Record<string, string>>
  readonly waterfall: WaterfallMeta
  readonly explanation: Explanation.Explanation | undefined
}

const show = ({ explanation, profile, result, sources, waterfall }: Shown, json: boolean): Effect.Effect<void> =>
  json
    ? Console.log(JSON.stringify(result, null, 2))
    : Print.lines([...Table.lines(profile, sources), ...story(waterfall), ...losses(explanation)])

const askCompany = Effect.fnUntraced(function* (domain: string, name: Option.Option<string>, options: Common) {
  const companies = yield* CompanyEnrichment.CompanyEnrichment
  const identity = { domains: [domain], ...(Option.isSome(name) ? { names: [name.value] } : {}) }
  const { answer } = yield* companies.enrich({ identity, ...asked(options) }, yield* Local.caller)
  const { company, meta } = answer
  const { explanation, waterfall } = meta
  return { result: answer, profile: company.profile, sources: company.field_sources, waterfall, explanation }
})

const company = Command.make(
  "company",
  {
    domain: Argument.String("domain").pipe(
      Argument.withDescription("Domain of the company, e.g. nordvik-robotics.example"),
      Argument.withSchema(Named.Domain)
    ),
    name: Flag.String("name").pipe(
      Flag.withDescription("Its name, where it is known"),
      Flag.withSchema(Named.Name),
      Flag.optional
    ),
    ...common
  },
  ({ domain, name, ...said }) => {
    const options = { ...said, verifyEmails: false }
    return Effect.flatMap(withCore(askCompany(domain, name, options), options), (shown) => show(shown, options.json))
  }
).pipe(
  Command.withDescription("Look up a company"),
  Command.withExamples([
    { command: "lading enrich company nordvik-robotics.example --sandbox", description: "Synthetic data, no key" },
    { command: "lading enrich company example.com --mode aggregate --json", description: "Every configured source" }
  ])
)

interface Person {
  readonly firstName: string
  readonly lastName: string
  readonly domain: string
}

const askPerson = Effect.fnUntraced(function* ({ domain, firstName, lastName }: Person, options: Common) {
  const persons = yield* PersonEnrichment.PersonEnrichment
  const identity = { first_name: firstName, last_name: lastName, domain }
  const { answer } = yield* persons.enrich({ identity, ...asked(options) }, yield* Local.caller)
  const { explanation, field_sources, waterfall } = answer.meta
  return { result: answer, profile: answer.person, sources: field_sources, waterfall, explanation }
})

const person = Command.make(
  "person",
  {
    firstName: Flag.String("first-name").pipe(Flag.withDescription("First name"), Flag.withSchema(Named.Name)),
    lastName: Flag.String("last-name").pipe(Flag.withDescription("Last name"), Flag.withSchema(Named.Name)),
    domain: Flag.String("domain").pipe(
      Flag.withDescription("Domain of the company where the person works"),
      Flag.withSchema(Named.Domain)
    ),
    verifyEmails,
    ...common
  },
  ({ domain, firstName, lastName, ...options }) =>
    Effect.flatMap(withCore(askPerson({ domain, firstName, lastName }, options), options), (shown) =>
      show(shown, options.json)
    )
).pipe(
  Command.withDescription("Look up a person by name and company"),
  Command.withExamples([
    {
      command: "lading enrich person --first-name Mara --last-name Ellison --domain nordvik-robotics.example --sandbox",
      description: "Synthetic data, no key"
    }
  ])
)

const { explain: _, ...ofRows } = common

export const enrich = Command.make(
  "enrich",
  { ...Rows.flags, verifyEmails, ...ofRows },
  ({ sourceOrder, ...request }) =>
    Rows.run({ ...request, sourceOrder: Option.getOrNull(Option.map(sourceOrder, (text) => orderOf(text.trim()))) })
).pipe(
  Command.withDescription(
    "Enrich every row of a file (docs/rows.md); or ask once about one company or person, without a server, a bill or a cache"
  ),
  Command.withShortDescription("Enrich the rows of a file, one company or one person"),
  Command.withSubcommands([company, person]),
  Command.withExamples([
    { command: "lading enrich companies.csv --out result.csv --sandbox", description: "Synthetic data, no key" },
    {
      command: "lading enrich companies.csv --out result.csv --url http://127.0.0.1:8080 --max-credits 100",
      description: "At a server, with the API key in LADING_API_KEY, for 100 credits at most"
    },
    {
      command: "lading enrich people.tsv --out result.jsonl --columns first_name=Vorname,domain=Firma",
      description: "Columns that are named otherwise; the whole answer of each row"
    }
  ])
)
