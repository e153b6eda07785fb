/**
 * `lading enrich company` and `lading enrich person`: one question to the configured sources, without a server. Nothing
 * is billed and nothing is kept.
 */
import { CompanyEnrichment } from "@lading/core/company"
import { PersonEnrichment } from "@lading/core/person"
import { Caller, Named } from "@lading/core/request"
import type { Explanation, WaterfallMeta } from "@lading/core/waterfall"
import { Clock, Console, Effect, Option, Random } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Configuration, ignoredKeys } from "../server/Configuration.ts"
import * as Installation from "../server/Installation.ts"
import type * as Failure from "./Failure.ts"
import * as Print from "./Print.ts"
import { configured } from "./Setting.ts"
import * as Table from "./Table.ts"

const common = {
  mode: Flag.Literals("mode", ["first_match", "aggregate", "fill_missing"]).pipe(
    Flag.withDescription("Stop at the first source that answers, merge all of them, or go on for what is missing"),
    Flag.withDefault("first_match")
  ),
  sourceOrder: Flag.String("source-order").pipe(
    Flag.withDescription("Sources to ask, in this order, with commas between them"),
    Flag.withMetavar("<provider_c,provider_a>"),
    Flag.optional
  ),
  explain: Flag.Boolean("explain").pipe(
    Flag.withDescription("Show the values that lost, and why"),
    Flag.withDefault(false)
  ),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print the whole result as JSON, and nothing else"),
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
}

const asked = ({ explain, mode, sourceOrder }: Common) => ({
  waterfall: {
    mode,
    ...(Option.isSome(sourceOrder) ? { source_order: sourceOrder.value.split(",").map((name) => name.trim()) } : {})
  },
  response: { include_explanation: explain }
})

const caller = Effect.gen(function* () {
  const number = yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)
  return Caller.embedded(`req_${number.toString(36).padStart(20, "0")}`, yield* Clock.currentTimeMillis)
})

/** The configuration with the sandbox's simulators in it, where they are wanted. */
const chosen = (configuration: Configuration, sandbox: boolean) =>
  sandbox
    ? Effect.flatMap(
        Effect.promise(() => import("../sandbox/index.ts")),
        ({ Simulation }) => Simulation.configure(configuration)
      )
    : Effect.succeed(configuration)

const withCore = <A, E extends Failure.Failure, R>(question: Effect.Effect<A, E, R>, { sandbox }: Common) =>
  configured(
    Effect.fnUntraced(function* (configuration) {
      const actual = yield* chosen(configuration, sandbox)
      for (const warning of [...actual.warnings, ...ignoredKeys(actual.providers)]) yield* Effect.logWarning(warning)
      return yield* Effect.provide(question, Installation.layerLocal(actual))
    }, Effect.scoped)
  )

const reasons = (all: ReadonlyArray<{ readonly source: string; readonly reason: string }>): string =>
  all.map(({ reason, source }) => `${source} (${reason})`).join(", ")

/** What became of each source. */
const story = ({ sources_attempted, sources_failed, sources_skipped }: WaterfallMeta): ReadonlyArray<string> => [
  "",
  `Asked: ${sources_attempted.length === 0 ? "nobody" : sources_attempted.join(", ")}`,
  ...(sources_failed.length === 0 ? [] : [`Failed: ${reasons(sources_failed)}`]),
  ...(sources_skipped.length === 0 ? [] : [`Skipped: ${reasons(sources_skipped)}`])
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
  const { answer } = yield* companies.enrich({ identity, ...asked(options) }, yield* caller)
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
  ({ domain, name, ...options }) =>
    Effect.flatMap(withCore(askCompany(domain, name, options), options), (shown) => show(shown, options.json))
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
  const { answer } = yield* persons.enrich({ identity, ...asked(options) }, yield* caller)
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

export const enrich = Command.make("enrich").pipe(
  Command.withDescription("Ask the configured sources once, without a server, a bill or a cache"),
  Command.withShortDescription("Ask the configured sources once"),
  Command.withSubcommands([company, person])
)
