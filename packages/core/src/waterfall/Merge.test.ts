import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { CompanyFields, CompanySubject, type CompanyFacts, CompanyProfile } from "../company/index.ts"
import { PersonFields, PersonSubject, type PersonFacts, PersonProfile } from "../person/index.ts"
import * as Field from "./Field.ts"
import * as Merge from "./Merge.ts"
import type { Observation } from "./Observation.ts"
import type { Operation, Operations } from "./Source.ts"
import type { Subject } from "./Subject.ts"
import * as VerifiedEmail from "./VerifiedEmail.ts"

const runs = { arbitrary: { runs: 300 } }

/** Small pools, so that sources agree, contradict and repeat one another often; some values fail their checks. */
const maybe = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))
const word = Schema.Literals(["Robotics", "robotics ", "Café", "CAFE\u0301", "", "  ", "—", "Sales"])
const url = Schema.Literals(["linkedin.com/in/mara", "https://www.LinkedIn.com/in/Mara/?trk=x", "not a url", ""])
const country = Schema.Literals(["Norway", "norway", "NO", "Atlantis", ""])
const phone = Schema.Literals(["+47 22 00 00 00", "22 00 00 00", "+4722000000", "n/a", ""])
const mail = Schema.Literals(["Mara@acme.example", "mara@acme.example", "info@acme.example", "broken", ""])
const count = Schema.Literals([-1, 0, 12, 250, 2012, 2012.5, 1e21, -1e300])
const list = <S extends Schema.Top>(schema: S) => maybe(Schema.Array(schema).check(Schema.isMaxLength(4)))

const Company = Schema.Struct({
  name: maybe(word),
  primary_domain: maybe(Schema.Literals(["acme.example", "www.ACME.example", "no domain"])),
  website_url: maybe(Schema.Literals(["acme.example", "http://acme.example/", "ftp://x", "::"])),
  industries: list(word),
  description: maybe(word),
  founded_year: maybe(count),
  estimated_employee_count: maybe(
    Schema.Union([count, Schema.Struct({ min: count, max: Schema.NullOr(count), text: word })])
  ),
  annual_revenue: maybe(count),
  total_funding: maybe(count),
  phones: list(phone),
  hq: maybe(Schema.Struct({ city: maybe(word), country: maybe(country), country_code: maybe(country) })),
  social_links: maybe(Schema.Struct({ linkedin_url: maybe(url), twitter_url: maybe(url) })),
  technologies: list(word),
  keywords: list(word),
  emails: list(mail)
})

const Person = Schema.Struct({
  first_name: maybe(word),
  last_name: maybe(word),
  current_title: maybe(word),
  company_name: maybe(word),
  company_domain: maybe(Schema.Literals(["acme.example", "x"])),
  company_website: maybe(url),
  company_linkedin_url: maybe(url),
  location: maybe(Schema.Struct({ city: maybe(word), country: maybe(country) })),
  emails: list(
    Schema.Struct({
      email: mail,
      type: Schema.Literals(["work", "personal", "unknown"]),
      status: Schema.Literals(["valid", "invalid", "catch_all", "unknown"]),
      confidence: maybe(Schema.Literals([10, 90]))
    })
  ),
  phones: list(Schema.Struct({ number: phone, type: Schema.Literals(["mobile", "unknown"]) })),
  social_links: maybe(Schema.Struct({ linkedin_url: maybe(url) })),
  employment_history: list(
    Schema.Struct({
      company_name: maybe(word),
      title: maybe(word),
      start_date: maybe(Schema.Literals(["2020", "2020-03", "2020-03-15", "2020-13", "soon"])),
      end_date: maybe(Schema.Literals(["2021-01"])),
      is_current: Schema.Boolean,
      company_country: maybe(country)
    })
  ),
  education: list(
    Schema.Struct({ school: maybe(word), degree: maybe(word), start: maybe(Schema.Literals(["2001", "x"])) })
  )
})

const order = ["provider_a", "provider_b", "provider_c", "provider_d"]
const answers = <S extends Schema.Top>(facts: S) =>
  Schema.Array(Schema.Struct({ facts, mismatch: Schema.Literals([false, false, true]) })).check(
    Schema.isMaxLength(order.length)
  )

interface Answer<Facts> {
  readonly facts: Facts
  readonly mismatch: boolean
}

const observe = <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  said: ReadonlyArray<Answer<Operations[Name]["facts"]>>
): ReadonlyArray<Observation> =>
  said.flatMap(({ facts, mismatch }, index) =>
    Merge.observe(subject.table, facts, subject.region(facts), {
      source: order[index] ?? "",
      precedence: "plan",
      adapter: "test@1",
      observed_at: index,
      mismatch
    })
  )

const laws = <Name extends Operation, Profile extends object>(
  subject: Subject<Name, Profile>,
  profile: Schema.Codec<Profile, unknown>,
  facts: Schema.Codec<Operations[Name]["facts"], unknown>,
  judged: (observations: ReadonlyArray<Observation>) => ReadonlyArray<Observation> = (observations) => observations
) => {
  const arbitrary = Arbitrary.schema(answers(facts))
  const merge = (observations: ReadonlyArray<Observation>) => Merge.merge(subject.table, observations, order)
  const said = (input: typeof arbitrary extends Arbitrary.Arbitrary<infer A> ? A : never) =>
    judged(observe(subject, input))

  it.prop(
    "gives a profile of the promised shape, whatever was said",
    [arbitrary],
    ([input]) => {
      const { profile: merged } = merge(said(input))
      assert.deepStrictEqual(Schema.decodeUnknownSync(profile)(JSON.parse(JSON.stringify(merged))), merged)
    },
    runs
  )

  it.prop(
    "does not depend on the order of arrival",
    [arbitrary, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))],
    ([input, seed]) => {
      const observations = said(input)
      const shuffled = observations
        .map((observation, index) => ({ observation, key: ((index + 1) * seed * 7919) % 104729 }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ observation }) => observation)
      assert.deepStrictEqual(merge(shuffled), merge(observations))
    },
    runs
  )

  it.prop(
    "is idempotent and has no memory",
    [arbitrary],
    ([input]) => {
      assert.deepStrictEqual(merge(said(input)), merge(said(input)))
    },
    runs
  )

  it.prop(
    "without a source gives what it would have given had that source said nothing",
    [arbitrary],
    ([input]) => {
      const observations = said(input)
      for (const [index, source] of order.entries()) {
        const without = merge(observations.filter(({ origin }) => origin.source !== source))
        const silent = merge(said(input.map((answer, at) => (at === index ? { facts: {}, mismatch: false } : answer))))
        assert.deepStrictEqual(without, silent)
      }
    },
    runs
  )

  it.prop(
    "names a source for every field that is not empty, and that source said it",
    [arbitrary],
    ([input]) => {
      const observations = said(input)
      const { profile: merged, field_sources, decisions } = merge(observations)
      for (const [field, value] of Object.entries(merged)) {
        assert.strictEqual(field in field_sources, !Field.isEmpty(value), field)
        const source = field_sources[field]
        if (source === undefined) continue
        const own = observations.filter(
          ({ field: about, origin }) => about === field && origin.source === source && !origin.mismatch
        )
        assert.isNotEmpty(own)
        // What the source said of the field alone is in the value.
        const winner = decisions.get(field)?.resolution?.winners[0]
        assert.isTrue(own.some((observation) => observation === winner))
      }
    },
    runs
  )

  it.prop(
    "takes nothing from an answer about somebody else, and lists it",
    [arbitrary],
    ([input]) => {
      const observations = said(input)
      const { field_sources, decisions } = merge(observations)
      input.forEach(({ mismatch }, index) => {
        if (mismatch) assert.notInclude(Object.values(field_sources), order[index])
      })
      const listed = [...decisions.values()].flatMap(({ losses }) =>
        losses.filter(({ reason }) => reason === "identity_mismatch").map(({ observation }) => observation)
      )
      assert.sameMembers(
        listed,
        observations.filter(({ origin }) => origin.mismatch)
      )
    },
    runs
  )

  it.prop(
    "loses no observation: each one is in the value or among the losers with a reason",
    [arbitrary],
    ([input]) => {
      const observations = said(input)
      const { decisions } = merge(observations)
      const accounted = [...decisions.values()].flatMap(({ resolution, losses }) => [
        ...(resolution?.winners ?? []),
        ...losses.map(({ observation }) => observation)
      ])
      assert.sameMembers(accounted, [...observations])
    },
    runs
  )

  it.prop(
    "a later source never changes a scalar or a group that an earlier one filled validly",
    [arbitrary],
    ([input]) => {
      const all = merge(said(input))
      const fewer = merge(said(input.slice(0, -1)))
      for (const [field, { resolution }] of fewer.decisions) {
        const winner = resolution?.winners[0]
        const kind = subject.table[field as keyof Profile].kind
        if (winner?.reading.valid !== true || (kind !== "scalar" && kind !== "group")) continue
        assert.deepStrictEqual(all.decisions.get(field)?.resolution?.value, resolution?.value)
      }
    },
    runs
  )
}

describe("merge of companies", () =>
  laws<"company", CompanyProfile>(CompanySubject, CompanyProfile, Company as Schema.Codec<CompanyFacts, unknown>))

describe("merge of persons", () =>
  laws<"person", PersonProfile>(PersonSubject, PersonProfile, Person as Schema.Codec<PersonFacts, unknown>))

describe.each([
  { "mara@acme.example": "invalid", "info@acme.example": "catch_all" },
  { "mara@acme.example": "disposable", "info@acme.example": "safe" },
  { "mara@acme.example": "unknown", "info@acme.example": "disabled" }
] as const)("merge of persons whose addresses are $0", (statuses) => {
  const verified = Object.entries(statuses).map(([email, status]) => ({
    ...VerifiedEmail.notVerified(email, "budget_exhausted"),
    status,
    reason: null
  }))
  laws<"person", PersonProfile>(
    PersonSubject,
    PersonProfile,
    Person as Schema.Codec<PersonFacts, unknown>,
    (observations) => VerifiedEmail.judged(PersonFields, observations, verified)
  )
})

const company = (...facts: ReadonlyArray<CompanyFacts>) =>
  Merge.merge(
    CompanyFields,
    observe(
      CompanySubject,
      facts.map((one) => ({ facts: one, mismatch: false }))
    ),
    order
  )

const person = (...facts: ReadonlyArray<PersonFacts>) =>
  Merge.merge(
    PersonFields,
    observe(
      PersonSubject,
      facts.map((one) => ({ facts: one, mismatch: false }))
    ),
    order
  )

describe("what merge does with one field", () => {
  it("takes the first valid scalar, and an invalid one only where nobody has better", () => {
    assert.strictEqual(company({ founded_year: 31 }, { founded_year: 1999 }).profile.founded_year, 1999)
    assert.strictEqual(company({ founded_year: 31 }, { founded_year: null }).profile.founded_year, 31)
  })

  it("shows the lower bound of a range and keeps the range, marked as estimated", () => {
    const { profile, decisions } = company({ estimated_employee_count: { min: 251, max: 1000, text: "251-1K" } })
    assert.strictEqual(profile.estimated_employee_count, 251)
    const winner = decisions.get("estimated_employee_count")?.resolution?.winners[0]
    assert.strictEqual(winner?.reading.estimated, true)
    assert.deepStrictEqual(winner?.reading.raw, { min: 251, max: 1000, text: "251-1K" })
  })

  it("unites phones by E.164, reading numbers without a country code in the country of their source", () => {
    const { profile } = company(
      { phones: ["22 00 00 00", "+47 22 00 00 01"], hq: { country: "Norway" } },
      { phones: ["+4722000000"] }
    )
    assert.deepStrictEqual(profile.phones, ["22 00 00 00", "+47 22 00 00 01"])
  })

  it("never puts an address together from two sources", () => {
    const { profile, field_sources } = company({ hq: { city: "Oslo" } }, { hq: { city: "Bergen", country: "Norway" } })
    assert.strictEqual(profile.hq.city, "Oslo")
    assert.isNull(profile.hq.country)
    assert.strictEqual(field_sources["hq"], "provider_a")
  })

  it("merges social links member by member, in canonical form", () => {
    const { profile } = company(
      { social_links: { linkedin_url: "linkedin.com/company/Acme/" } },
      { social_links: { linkedin_url: "https://www.linkedin.com/company/other", twitter_url: "https://x.com/acme" } }
    )
    assert.strictEqual(profile.social_links.linkedin_url, "https://www.linkedin.com/company/acme")
    assert.strictEqual(profile.social_links.twitter_url, "https://www.twitter.com/acme")
  })

  it("names every source of a mail address and takes the first definite status", () => {
    const email = { type: "work", confidence: null } as const
    const { profile } = person(
      { emails: [{ ...email, email: "Mara@acme.example", status: "unknown" }] },
      { emails: [{ ...email, email: "mara@acme.example", status: "valid", confidence: 94 }] }
    )
    assert.deepStrictEqual(profile.emails, [
      {
        email: "Mara@acme.example",
        type: "work",
        status: "valid",
        sources: ["provider_a", "provider_b"],
        confidence: 94
      }
    ])
  })

  it("takes a job that is told with its start and without for one job, and two starts for two", () => {
    const job = { company_name: "Acme AS", title: "Buyer", is_current: false }
    const shown = (...facts: ReadonlyArray<PersonFacts>) =>
      person(...facts).profile.employment_history.map(({ company_name, start_date }) => [company_name, start_date])
    const dated = { employment_history: [{ ...job, start_date: "2019-03" }] }
    assert.deepStrictEqual(shown({ employment_history: [{ ...job, company_name: "ACME" }] }, dated), [
      ["Acme AS", "2019-03"]
    ])
    assert.deepStrictEqual(shown(dated, { employment_history: [{ ...job, start_date: "2022-01" }] }), [
      ["Acme AS", "2019-03"],
      ["Acme AS", "2022-01"]
    ])
  })

  it("keeps a job as one source tells it, and shows no month that nobody said", () => {
    const { profile } = person({
      employment_history: [
        { company_name: "Acme AS", title: "Buyer", start_date: "2019", end_date: "2021-05-04", is_current: false }
      ]
    })
    assert.strictEqual(profile.employment_history[0]?.start_date, null)
    assert.strictEqual(profile.employment_history[0]?.end_date, "2021-05")
  })
})
