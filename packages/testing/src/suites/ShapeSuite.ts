/**
 * What every source must make of any 200 whatever: a hit, a miss or one of the typed errors, and facts that the cache
 * and the merge can read. Random JSON, and right answers with one value replaced by random JSON, hundreds of times.
 */
import { assert, describe, it } from "@effect/vitest"
import { CompanyDirectory, CompanyFacts, CompanySubject } from "@lading/core/company"
import { PersonDirectory, PersonFacts, PersonSubject } from "@lading/core/person"
import { type Directory, Merge, type Source, type SourceError, type Subject } from "@lading/core/waterfall"
import { Effect, Exit, Option, Redacted, Schema } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"

export interface ShapeSuiteOptions {
  readonly make: Effect.Effect<Source.Source, never, HttpClient.HttpClient>
  /** Right answers of the vendor, to be broken in one place. */
  readonly answers: ReadonlyArray<unknown>
}

/** The paths of all values in JSON, the whole first. */
const paths = (json: unknown): ReadonlyArray<ReadonlyArray<string>> =>
  typeof json !== "object" || json === null
    ? [[]]
    : [[], ...Object.entries(json).flatMap(([key, value]) => paths(value).map((rest) => [key, ...rest]))]

const replaced = (json: unknown, [key, ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  if (key === undefined) return value
  if (Array.isArray(json))
    return json.map((item, index) => (String(index) === key ? replaced(item, rest, value) : item))
  if (typeof json !== "object" || json === null) return value
  return Object.fromEntries(
    Object.entries(json).map(([name, member]) => [name, name === key ? replaced(member, rest, value) : member])
  )
}

/** A vendor in the process that says this, whatever it is asked. */
const saying = (body: unknown) =>
  HttpClient.make((request) =>
    Effect.succeed(
      HttpClientResponse.fromWeb(
        request,
        new Response(JSON.stringify(body), { status: 200, headers: { "content-type": "application/json" } })
      )
    )
  )

const credential: Source.Credential = { _tag: "ApiKey", key: Redacted.make("shape-suite-key") }

const origin = { source: "s", precedence: "plan", adapter: "a@1", observed_at: 0, mismatch: false } as const

/** Holds one answer to the rule: no defect, and facts that survive the cache and the merge. */
const hold = Effect.fnUntraced(function* <Name extends Source.Operation, Profile>(
  subject: Subject<Name, Profile>,
  call: Effect.Effect<Source.Outcome<Source.Operations[Name]["facts"]>, SourceError.SourceError> | undefined
) {
  if (call === undefined) return
  const exit = yield* Effect.exit(call)
  assert.isTrue(Exit.isSuccess(exit) || Option.isSome(Exit.findErrorOption(exit)), String(exit))
  if (Exit.isFailure(exit) || exit.value._tag !== "Hit") return
  const { facts } = exit.value
  assert.isTrue(Option.isSome(subject.decode(JSON.parse(JSON.stringify(facts)))), "facts cannot be kept")
  Merge.merge(subject.table, Merge.observe(subject.table, facts, subject.region(facts), origin), ["s"])
})

/** Holds one page of a directory to the same rule. */
const holdPage = Effect.fnUntraced(function* <Facts>(
  schema: Schema.ConstraintDecoder<Facts>,
  search: Effect.Effect<Directory.Page<Directory.Hit<Facts>>, SourceError.SourceError> | undefined
) {
  if (search === undefined) return
  const exit = yield* Effect.exit(search)
  assert.isTrue(Exit.isSuccess(exit) || Option.isSome(Exit.findErrorOption(exit)), String(exit))
  if (Exit.isFailure(exit)) return
  for (const { facts } of exit.value.hits) {
    yield* Schema.decodeUnknownEffect(schema)(JSON.parse(JSON.stringify(facts)))
  }
})

/** Registers the suite. */
export const shapeSuite = (name: string, { answers, make }: ShapeSuiteOptions): void => {
  describe(`${name}: an answer of any shape`, () => {
    const broken = Schema.Struct({
      answer: Schema.Literals(answers.map((_, index) => index)),
      at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
      value: Schema.Json
    })

    it.effect.prop(
      "is a hit, a miss or a typed error, and never a defect; a hit can be kept and merged",
      { broken },
      ({ broken: { answer, at, value } }) =>
        Effect.gen(function* () {
          const right = answers[answer]
          const all = paths(right)
          const body = replaced(right, all[at % all.length] ?? [], value)
          const source = yield* Effect.provideService(make, HttpClient.HttpClient, saying(body))
          const company = { domain: "nordvik-robotics.example", name: null }
          const person = { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
          yield* hold(CompanySubject, source.company?.call(company, credential))
          yield* hold(PersonSubject, source.person?.call(person, credential))
          const companies = { ...CompanyDirectory.noFilter, domains: [company.domain] }
          yield* holdPage(
            CompanyFacts,
            source.companyDirectory?.search({ filter: companies, limit: 10, cursor: null }, credential)
          )
          const people = { ...PersonDirectory.noFilter, company_domain: person.domain }
          yield* holdPage(
            PersonFacts,
            source.personDirectory?.search({ filter: people, limit: 10, cursor: null }, credential)
          )
        }),
      { arbitrary: { runs: 400 }, timeout: 60_000 }
    )
  })
}
