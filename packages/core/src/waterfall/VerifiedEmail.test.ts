/** Addresses that sources tell are verified: once, within time and budget, and only what takes no mail is refused. */
import { assert, describe, it } from "@effect/vitest"
import { ScriptedSource, ScriptedVerifier } from "@lading/testing"
import { Clock, Effect, Fiber, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Credits, Ledger } from "../billing/index.ts"
import { CompanyEnrichment } from "../company/index.ts"
import { EmailResult, EmailVerifier } from "../email/index.ts"
import { Core } from "../index.ts"
import { PersonEnrichment, type PersonFacts } from "../person/index.ts"
import type { Caller } from "../request/index.ts"
import { Mode } from "./Plan.ts"
import * as Replay from "./Replay.ts"
import * as RunLog from "./RunLog.ts"
import * as Slots from "./Slots.ts"
import * as Source from "./Source.ts"
import * as VerifiedEmail from "./VerifiedEmail.ts"

type Encoded = typeof PersonEnrichment.PersonEnrichmentRequest.Encoded
type Options = NonNullable<Encoded["waterfall"]>

const account = "acc_1"

const mail = (email: string, status: "valid" | "unknown" = "unknown") => ({ email, type: "work" as const, status })

/** A source that tells these addresses. */
const telling = (...emails: ReadonlyArray<string>) => knowing({ emails: emails.map((email) => mail(email)) })

const knowing = (facts: PersonFacts) =>
  ScriptedSource.make({ person: () => Effect.succeed(Source.hit(facts, { synthetic: true })) })

const slotsOf = (...sources: ReadonlyArray<Source.Source>) =>
  sources.map((source, index) => Slots.bound(`s${index}`, source))

/** An installation with these sources, this verifier and a ledger. */
const house = (sources: ReadonlyArray<Source.Source>, verifier: Layer.Layer<EmailVerifier.EmailVerifier>) =>
  Core.layerMemory(slotsOf(...sources), { verifier, ledger: Layer.fresh(Ledger.layerMemory) })

const grant = (credits: number) =>
  Effect.flatMap(Ledger.Ledger, (ledger) =>
    ledger.grant({ account, amount: Credits.fromNumber(credits), expires_at: null, key: "test", reason: "test" })
  )

const balance = Effect.flatMap(Ledger.Ledger, (ledger) => ledger.balance(account)).pipe(
  Effect.map(({ captured, held }) => ({ captured: Credits.toNumber(captured), held: Credits.toNumber(held) }))
)

let requests = 0
const caller = Effect.map(Clock.currentTimeMillis, (received_at): Caller.Caller => ({
  account,
  api_key: null,
  request_id: `req_${++requests}`,
  received_at,
  idempotency: null
}))

const decode = Schema.decodeUnknownSync(PersonEnrichment.PersonEnrichmentRequest)

const requestOf = (options: Options) =>
  decode({
    identity: { first_name: "Mara", last_name: "Ellison", domain: "acme.example" },
    waterfall: { verify_emails: true, required_fields: ["emails"], ...options },
    response: { include_explanation: true }
  })

const ask = Effect.fnUntraced(function* (options: Options = {}) {
  const { enrich } = yield* PersonEnrichment.PersonEnrichment
  return (yield* enrich(requestOf(options), yield* caller)).answer
})

const quote = Effect.fnUntraced(function* (options: Options = {}) {
  const { quote } = yield* PersonEnrichment.PersonEnrichment
  return yield* quote(requestOf(options), yield* caller)
})

type Answer = Effect.Success<ReturnType<typeof ask>>

const shown = ({ person }: Answer) => person.emails.map(({ email, status }) => [email, status])
const verdicts = ({ meta }: Answer) =>
  (meta.waterfall.verified_emails ?? []).map(({ credits, email, reason, status }) => [email, status, credits, reason])
const losers = ({ meta }: Answer) =>
  (meta.explanation?.fields["emails"]?.losers ?? []).map(({ reason, source }) => [source, reason])

const [gone, there, other] = ["gone@acme.example", "mara@acme.example", "m.ellison@acme.example"]
const fill = { mode: "fill_missing" } as const
const all = { mode: "aggregate" } as const

describe("an address that takes no mail", () => {
  const verifier = () => ScriptedVerifier.knowing({ [gone]: "invalid", [other]: "disabled" })

  it.effect("is refused, the next source is asked, and the answer tells why and what it cost", () => {
    const { asked, layer } = verifier()
    return Effect.gen(function* () {
      yield* grant(10)
      const answer = yield* ask(fill)
      assert.deepStrictEqual(shown(answer), [[there, "valid"]])
      assert.strictEqual(answer.meta.field_sources["emails"], "s1")
      assert.deepStrictEqual(losers(answer), [["s0", "undeliverable"]])
      assert.deepStrictEqual(verdicts(answer), [
        [gone, "invalid", 0.05, null],
        [there, "safe", 0.05, null]
      ])
      assert.deepStrictEqual(answer.meta.waterfall.sources_skipped, [{ source: "s2", reason: "fields_filled" }])
      assert.isTrue(answer.meta.waterfall.all_fields_filled)
      assert.deepStrictEqual(answer.meta.billing, {
        total_credits_charged: 2.2,
        platform_credits_charged: 0.2,
        byok_used: false,
        breakdown: [
          { source: "s0", credits: 1 },
          { source: "s1", credits: 1 }
        ]
      })
      assert.deepStrictEqual(yield* balance, { captured: 2.2, held: 0 })
      assert.deepStrictEqual(asked, [gone, there])
    }).pipe(Effect.provide(house([telling(gone), telling(there), telling("third@acme.example")], layer)))
  })

  it.effect("is forgotten with whomever it belongs to, although no profile has it", () => {
    const { layer } = verifier()
    return Effect.gen(function* () {
      yield* grant(10)
      const { request_id } = yield* ask(fill)
      const log = yield* RunLog.RunLog
      assert.isNotNull(yield* log.find(request_id))
      assert.strictEqual(yield* log.erase([`email:${gone}`]), 1)
      assert.isNull(yield* log.find(request_id))
    }).pipe(Effect.provide(house([telling(gone), telling(there)], layer)))
  })

  it.effect("leaves the field empty where nobody has another one", () => {
    const { layer } = verifier()
    return Effect.gen(function* () {
      yield* grant(10)
      const answer = yield* ask(fill)
      assert.deepStrictEqual(shown(answer), [])
      assert.notProperty(answer.meta.field_sources, "emails")
      assert.isFalse(answer.meta.waterfall.all_fields_filled)
      assert.deepStrictEqual(losers(answer), [
        ["s0", "undeliverable"],
        ["s1", "undeliverable"]
      ])
      assert.isNull(answer.meta.explanation?.fields["emails"]?.winner)
    }).pipe(Effect.provide(house([telling(gone), telling(other)], layer)))
  })

  it.effect("is left out of a first match too, which still ends with its hit", () => {
    const { asked, layer } = verifier()
    return Effect.gen(function* () {
      yield* grant(10)
      const answer = yield* ask()
      assert.deepStrictEqual(shown(answer), [])
      assert.strictEqual(answer.person.current_title, "Buyer")
      assert.deepStrictEqual(answer.meta.waterfall.sources_attempted, ["s0"])
      assert.deepStrictEqual(asked, [gone])
    }).pipe(
      Effect.provide(house([knowing({ current_title: "Buyer", emails: [mail(gone, "valid")] }), telling(there)], layer))
    )
  })

  it.effect("is left out where a source is hedged", () => {
    const { layer } = verifier()
    return Effect.gen(function* () {
      yield* grant(10)
      const answer = yield* ask({ ...fill, hedge: true })
      assert.deepStrictEqual(shown(answer), [[there, "valid"]])
      assert.deepStrictEqual(
        verdicts(answer).map(([email]) => email),
        [gone, there]
      )
    }).pipe(Effect.provide(house([telling(gone), telling(there)], layer)))
  })
})

describe("what is known of an address", () => {
  it.effect("stands in its status, and what nobody found out leaves it as its source said", () => {
    const statuses = {
      "a@acme.example": "role_account",
      "b@acme.example": "inbox_full",
      "c@acme.example": "catch_all",
      "d@acme.example": "unknown",
      "e@acme.example": "valid"
    } as const
    const { layer } = ScriptedVerifier.knowing(statuses)
    const source = knowing({ emails: Object.keys(statuses).map((email) => mail(email, "valid")) })
    return Effect.gen(function* () {
      yield* grant(10)
      const answer = yield* ask(fill)
      // Those that take mail come first, then those whose host takes any name; else as the source gave them.
      assert.deepStrictEqual(shown(answer), [
        ["a@acme.example", "valid"],
        ["e@acme.example", "valid"],
        ["c@acme.example", "catch_all"],
        ["b@acme.example", "valid"],
        ["d@acme.example", "valid"]
      ])
      assert.deepStrictEqual(
        verdicts(answer).map(([, status, credits]) => [status, credits]),
        Object.values(statuses).map((status) => [status, status === "unknown" ? 0 : 0.05])
      )
      assert.deepStrictEqual(losers(answer), [])
    }).pipe(Effect.provide(house([source], layer)))
  })

  it.effect("puts an address that takes mail before one of an earlier source, and says whose it is", () => {
    const { layer } = ScriptedVerifier.knowing({ [other]: "catch_all" })
    return Effect.gen(function* () {
      yield* grant(10)
      const answer = yield* ask(all)
      assert.deepStrictEqual(shown(answer), [
        [there, "valid"],
        [other, "catch_all"]
      ])
      assert.strictEqual(answer.meta.field_sources["emails"], "s1")
    }).pipe(Effect.provide(house([telling(other), telling(there)], layer)))
  })

  it.effect("shows a throw-away address only where nobody has a better one, and it fills nothing", () => {
    const { layer } = ScriptedVerifier.knowing({ [gone]: "disposable" })
    return Effect.gen(function* () {
      yield* grant(10)
      const found = yield* ask({ ...fill, source_order: ["s0", "s1"] })
      assert.deepStrictEqual(shown(found), [[there, "valid"]])
      assert.deepStrictEqual(losers(found), [["s0", "invalid"]])
      const alone = yield* ask({ ...fill, source_order: ["s0"] })
      assert.deepStrictEqual(shown(alone), [[gone, "invalid"]])
      assert.isFalse(alone.meta.waterfall.all_fields_filled)
    }).pipe(Effect.provide(house([telling(gone), telling(there)], layer)))
  })

  it("has a meaning for every status, and refuses two of them", () => {
    const refused = EmailResult.EmailStatus.literals.filter(
      (status) => VerifiedEmail.deliveryOf[status] === "undeliverable"
    )
    assert.deepStrictEqual(refused, ["invalid", "disabled"])
  })

  it.effect("is asked for once, whoever tells the address and however it is spelled", () => {
    const { asked, layer } = ScriptedVerifier.knowing({})
    return Effect.gen(function* () {
      yield* grant(10)
      for (const mode of [all, fill]) {
        asked.length = 0
        const answer = yield* ask({ ...mode, required_fields: ["emails", "education"] })
        assert.deepStrictEqual(asked, ["Mara@acme.example"])
        assert.strictEqual(answer.meta.billing.platform_credits_charged, 0.15)
        assert.deepStrictEqual(answer.person.emails[0]?.sources, ["s0", "s1"])
      }
    }).pipe(Effect.provide(house([telling("Mara@acme.example"), telling(there)], layer)))
  })

  it.effect("is not asked for of somebody else's address, of one that is none, and where it was not asked for", () => {
    const { asked, layer } = ScriptedVerifier.knowing({})
    const sources = [
      knowing({ first_name: "Somebody", last_name: "Else", emails: [mail("else@acme.example")] }),
      telling("no address")
    ]
    return Effect.gen(function* () {
      yield* grant(10)
      assert.deepStrictEqual(verdicts(yield* ask(all)), [])
      const off = yield* ask({ ...all, verify_emails: false })
      assert.notProperty(off.meta.waterfall, "verified_emails")
      assert.deepStrictEqual(asked, [])
    }).pipe(Effect.provide(house(sources, layer)))
  })

  it.effect("is asked for of the first five addresses of an answer", () => {
    const { asked, layer } = ScriptedVerifier.knowing({})
    const emails = Array.from({ length: 7 }, (_, index) => `m${index}@acme.example`)
    return Effect.gen(function* () {
      yield* grant(10)
      const answer = yield* ask()
      assert.deepStrictEqual(asked, emails.slice(0, 5))
      assert.lengthOf(answer.person.emails, 7)
      assert.deepStrictEqual(
        verdicts(answer).map(([, status, , reason]) => [status, reason]),
        [
          ...emails.slice(0, 5).map(() => ["safe", null]),
          ...emails.slice(5).map(() => ["unknown", "too_many_addresses"])
        ]
      )
    }).pipe(Effect.provide(house([telling(...emails)], layer)))
  })
})

describe("a verifier that does not work", () => {
  const unavailable = Effect.fail(new EmailVerifier.EmailVerifierUnavailable({ problem: "down", retryable: true }))
  const broken = {
    "fails is": ScriptedVerifier.make(() => unavailable).layer,
    "has a defect is": ScriptedVerifier.make(() => Effect.die("broken")).layer,
    "is not there is": EmailVerifier.layerAbsent("none")
  }
  for (const [how, layer] of Object.entries(broken)) {
    it.effect(`and ${how} told: the answer is what it would have been without, and costs no more`, () =>
      Effect.gen(function* () {
        yield* grant(10)
        const answer = yield* ask(fill)
        assert.deepStrictEqual(shown(answer), [[there, "valid"]])
        assert.deepStrictEqual(verdicts(answer), [[there, "unknown", 0, "verifier_unavailable"]])
        assert.deepStrictEqual(yield* balance, { captured: 1.1, held: 0 })
        assert.deepStrictEqual(losers(answer), [])
      }).pipe(Effect.provide(house([knowing({ emails: [mail(there, "valid")] })], layer)))
    )
  }

  it.effect("holds nothing for verdicts where there is none", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* quote(fill)).worst, 1.1)
    }).pipe(Effect.provide(house([telling(there)], EmailVerifier.layerAbsent("none"))))
  )

  it.effect("in time is not waited for: each source has its share, and the answer comes before the deadline", () => {
    const deadlines: Array<number> = []
    const { layer } = ScriptedVerifier.make((_, deadline) => {
      deadlines.push(deadline)
      return Effect.never
    })
    return Effect.gen(function* () {
      yield* grant(10)
      // Half of the time is the second source's; half a second is kept for the answer.
      for (const [mode, untils] of [
        [fill, [4750, 9500]],
        [all, [9500, 9500]]
      ] as const) {
        deadlines.length = 0
        const began = yield* Clock.currentTimeMillis
        const fiber = yield* Effect.forkChild(
          ask({ ...mode, timeout_ms: 10_000, required_fields: ["emails", "phones"] }),
          {
            startImmediately: true
          }
        )
        yield* TestClock.adjust(9_999)
        const exit = fiber.pollUnsafe()
        assert.strictEqual(exit?._tag, "Success")
        const answer = yield* Fiber.join(fiber)
        assert.deepStrictEqual(
          verdicts(answer).map(([, status, credits, reason]) => [status, credits, reason]),
          [
            ["unknown", 0, "deadline_exceeded"],
            ["unknown", 0, "deadline_exceeded"]
          ]
        )
        assert.lengthOf(answer.person.emails, 2)
        assert.deepStrictEqual(
          deadlines.map((deadline) => deadline - began),
          [...untils]
        )
      }
      assert.strictEqual((yield* balance).held, 0)
    }).pipe(Effect.provide(house([telling(there), telling(other)], layer)))
  })
})

describe("the credits for verdicts", () => {
  const verifier = () => ScriptedVerifier.knowing({ [gone]: "invalid" })
  const sources = [telling(gone), telling(there)]

  it.effect("are held before anybody is asked: a balance below that is refused, one that covers it is enough", () => {
    const { asked, layer } = verifier()
    return Effect.gen(function* () {
      const { held, least, subjects, worst } = yield* quote(fill)
      // Five addresses of each of the two.
      assert.deepStrictEqual([worst, held, least], [2.6, 2.6, 1.1])
      assert.deepStrictEqual(subjects[0]?.verify_emails, { worst: 0.5, expected: 0.05 })
      yield* grant(2.59)
      assert.strictEqual((yield* Effect.flip(ask(fill)))._tag, "InsufficientCredits")
      assert.deepStrictEqual(asked, [])
      yield* Effect.flatMap(Ledger.Ledger, (ledger) =>
        ledger.grant({ account, amount: Credits.fromNumber(0.01), expires_at: null, key: "more", reason: "test" })
      )
      assert.strictEqual((yield* ask(fill)).meta.billing.total_credits_charged, 2.2)
      assert.deepStrictEqual(yield* balance, { captured: 2.2, held: 0 })
    }).pipe(Effect.provide(house(sources, layer)))
  })

  it.effect("that were spent when the caller leaves are booked, with what the sources had billed", () => {
    const { layer } = ScriptedVerifier.make((email) => (email === gone ? Effect.succeed("invalid") : Effect.never))
    return Effect.gen(function* () {
      yield* grant(10)
      for (const [hedge, captured] of [
        [false, 1.05],
        [true, 2.1]
      ] as const) {
        const fiber = yield* Effect.forkChild(ask({ ...fill, hedge, max_cache_age_s: 0 }), { startImmediately: true })
        yield* TestClock.adjust(100)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* balance, { captured, held: 0 })
      }
    }).pipe(Effect.provide(house([telling(gone, there)], layer)))
  })

  it.effect("of a first match are those of one hit; of two where one may be hedged", () => {
    const { layer } = verifier()
    return Effect.gen(function* () {
      assert.strictEqual((yield* quote()).worst, 1.35)
      assert.strictEqual((yield* quote({ hedge: true })).worst, 2.6)
    }).pipe(Effect.provide(house(sources, layer)))
  })

  it.effect("are within the ceiling of the request: what does not fit is not verified, and says so", () => {
    const { asked, layer } = verifier()
    return Effect.gen(function* () {
      yield* grant(10)
      const answer = yield* ask({ max_credits: 1.17 })
      assert.deepStrictEqual(verdicts(answer), [
        [there, "safe", 0.05, null],
        [other, "unknown", 0, "budget_exhausted"]
      ])
      assert.deepStrictEqual(asked, [there])
      assert.deepStrictEqual(yield* balance, { captured: 1.15, held: 0 })
    }).pipe(Effect.provide(house([telling(there, other)], layer)))
  })
})

it.effect("addresses of companies are not verified: it is refused", () => {
  const request = { identity: { domains: ["acme.example"] }, waterfall: { verify_emails: true } }
  return Effect.gen(function* () {
    const { enrich, quote } = yield* CompanyEnrichment.CompanyEnrichment
    const decoded = Schema.decodeUnknownSync(CompanyEnrichment.CompanyEnrichmentRequest)(request)
    for (const refused of [enrich, quote]) {
      const error = yield* Effect.flip(
        Effect.asVoid<unknown, CompanyEnrichment.CompanyEnrichmentError, never>(refused(decoded, yield* caller))
      )
      assert.deepStrictEqual(error._tag === "InvalidRequest" ? error.details.map(({ path }) => path) : error._tag, [
        "waterfall.verify_emails"
      ])
    }
  }).pipe(Effect.provide(house([], ScriptedVerifier.knowing({}).layer)))
})

describe("whatever is told and found out", () => {
  const pool = Array.from({ length: 8 }, (_, index) => `m${index}@acme.example`)
  const Told = Schema.Struct({
    emails: Schema.Array(Schema.Literals([...pool, "M0@acme.example", "no address"])).check(Schema.isMaxLength(7)),
    kind: Schema.Literals(["per_hit", "per_call", "per_field_hit"])
  })
  const input = {
    mode: Mode,
    hedge: Schema.Boolean,
    ceiling: Schema.NullOr(Schema.Literals([1.1, 1.2, 2.4])),
    sources: Schema.Array(Told).check(Schema.isMinLength(1), Schema.isMaxLength(4)),
    statuses: Schema.Array(EmailResult.EmailStatus).check(Schema.isMinLength(8), Schema.isMaxLength(8))
  }

  it.effect.prop(
    "the quote covers the charge, each address is asked about once, none that is refused is shown, a replay is the same",
    input,
    ({ ceiling, hedge, mode, sources, statuses }) => {
      const known = Object.fromEntries(pool.map((email, index) => [email, statuses[index] ?? "unknown"]))
      const { asked, layer } = ScriptedVerifier.knowing(known)
      const scripted = sources.map(({ emails, kind }) =>
        ScriptedSource.make({
          kind,
          repeatable: false,
          personFields: ["emails"],
          person: () =>
            Effect.succeed(
              emails.length === 0 ? Source.miss : Source.hit({ emails: emails.map((email) => mail(email)) }, {})
            )
        })
      )
      return Effect.gen(function* () {
        yield* grant(1000)
        const options: Options = {
          mode,
          ...(mode === "aggregate" ? {} : { hedge }),
          ...(ceiling === null ? {} : { max_credits: ceiling })
        }
        const { held, worst } = yield* quote(options)
        const answer = yield* ask(options)
        const { captured } = yield* balance
        assert.isAtMost(captured, held)
        assert.isAtMost(captured, worst)
        assert.strictEqual(answer.meta.billing.total_credits_charged, captured)
        const verified = answer.meta.waterfall.verified_emails ?? []
        if (ceiling === null) assert.isFalse(verified.some(({ reason }) => reason === "budget_exhausted"))
        const paid = verified.reduce((sum, { credits }) => sum + credits, 0)
        assert.closeTo(answer.meta.billing.platform_credits_charged, 0.1 + paid, 1e-9)
        assert.strictEqual(new Set(asked.map((email) => email.toLowerCase())).size, asked.length)
        for (const { email, status } of answer.person.emails) {
          const one = verified.find((each) => each.email.toLowerCase() === email.toLowerCase())
          assert.notInclude(["invalid", "disabled"], one?.status)
          assert.strictEqual(status === "invalid" && email !== "no address", isThrownAway(one?.status))
        }
        const report = yield* Effect.flatMap(Replay.Replay, ({ replay }) => replay(answer.request_id))
        assert.isTrue(report.same)
        assert.strictEqual(new Set(asked.map((email) => email.toLowerCase())).size, asked.length)
      }).pipe(Effect.provide(house(scripted, layer)))
    },
    { arbitrary: { runs: 200 } }
  )
})

const isThrownAway = (status: EmailResult.EmailStatus | undefined): boolean =>
  status === "disposable" || status === "spamtrap"
