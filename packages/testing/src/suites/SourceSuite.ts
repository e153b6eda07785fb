/**
 * What every source adapter must do, shown against its own simulator over real HTTP.
 *
 * Gotchas
 * - The simulator must be started with `credentials` that hold the suite's credential and no other; a source without a
 *   credential (`None`) needs none.
 * - The key of the credential must be a marker that occurs nowhere else: the suite looks for it in answers, errors, logs
 *   and spans.
 */
import { assert, describe, it } from "@effect/vitest"
import { CompanyFacts, type CompanyIdentity } from "@lading/core/company"
import { PersonFacts, type PersonIdentity } from "@lading/core/person"
import type { Source } from "@lading/core/waterfall"
import { Effect, Exit, Fiber, Schema, type Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import type { Fault, Simulator } from "../simulator/Simulator.ts"
import { faultsOf, label, mentions, misspelt, secretsOf, tick } from "./Faults.ts"
import { watched } from "./Watch.ts"

/** An adapter and the vendor that it is bound to. */
export interface Bound {
  readonly source: Source.Source
  readonly simulator: Simulator
}

export interface SourceSuiteOptions<Identity> {
  /** Starts the simulator and binds a fresh adapter to it. */
  readonly make: Effect.Effect<Bound, never, Scope.Scope | HttpClient.HttpClient>
  /** Somebody whom the simulator knows. */
  readonly known: Identity
  /** Somebody whom it does not know. */
  readonly unknown: Identity
  readonly credential: Source.Credential
  /** Whether the vendor has an answer for subjects who objected; else it misses. True by default. */
  readonly objections?: boolean
  /**
   * How many requests are made until a fault shows: one by default. More where something is asked before the question
   * itself that may be answered in any way, such as robots.txt.
   */
  readonly requests?: (fault: Fault) => number
}

/** The contract of an adapter that serves companies. */
export const companySourceSuite = (name: string, options: SourceSuiteOptions<CompanyIdentity>): void =>
  suite(name, options, {
    word: "companies",
    schema: CompanyFacts,
    facts: Object.keys(CompanyFacts.fields),
    nobody: { domain: null, name: null },
    operation: (source) => source.company
  })

/** The contract of an adapter that serves persons. */
export const personSourceSuite = (name: string, options: SourceSuiteOptions<PersonIdentity>): void =>
  suite(name, options, {
    word: "persons",
    schema: PersonFacts,
    facts: Object.keys(PersonFacts.fields),
    nobody: { first_name: null, last_name: null, domain: null },
    operation: (source) => source.person
  })

interface Subject<Identity, Facts> {
  readonly word: string
  readonly schema: Schema.ConstraintDecoder<Facts>
  /** Names of all facts. */
  readonly facts: ReadonlyArray<string>
  readonly nobody: Identity
  readonly operation: (source: Source.Source) => Source.SourceOperation<Identity, Facts> | undefined
}

const count = (requests: number): string => (requests === 1 ? "one request" : `${requests} requests`)

const suite = <Identity, Facts extends object>(
  name: string,
  options: SourceSuiteOptions<Identity>,
  subject: Subject<Identity, Facts>
): void => {
  const { credential, known, unknown } = options
  const secrets = secretsOf(credential)
  const requests = options.requests ?? (() => 1)

  /** A fresh adapter with its vendor. */
  const bound = Effect.gen(function* () {
    const { source, simulator } = yield* options.make
    const operation = subject.operation(source)
    assert(operation !== undefined, `${source.adapter} does not serve ${subject.word}`)
    return { source, simulator, operation }
  }).pipe(Effect.provide(FetchHttpClient.layer))

  describe(`${name}: ${subject.word}`, () => {
    it.live("a hit decodes to facts, only of fields that are declared, one of them beyond the identity", () =>
      Effect.gen(function* () {
        const { operation, simulator } = yield* bound
        const outcome = yield* operation.call(known, credential)
        assert(outcome._tag === "Hit", `a ${outcome._tag} of somebody who is known`)
        yield* Schema.decodeUnknownEffect(subject.schema, { onExcessProperty: "error" })(outcome.facts)
        const filled = Object.entries(outcome.facts).flatMap(([field, value]) => (isEmpty(value) ? [] : [field]))
        const declared = new Set<string>([...operation.fields, "domain_aliases"])
        assert.deepStrictEqual(
          filled.filter((field) => !declared.has(field)),
          []
        )
        assert.isNotEmpty(filled.filter((field) => !IDENTITY.has(field)))
        assert.isTrue((yield* simulator.calls).every((call) => call.authorized))
      })
    )

    it.live("the raw answer is JSON and holds no credential", () =>
      Effect.gen(function* () {
        const { operation } = yield* bound
        const outcome = yield* operation.call(known, credential)
        assert(outcome._tag === "Hit")
        assert.deepStrictEqual(JSON.parse(JSON.stringify(outcome.raw)), outcome.raw)
        for (const secret of secrets) assert.notInclude(JSON.stringify(outcome.raw), secret)
      })
    )

    it.live(
      "a raw answer that is read again, from a store, is the same hit; one of another shape is InvalidResponse",
      () =>
        Effect.gen(function* () {
          const { operation, simulator } = yield* bound
          const outcome = yield* operation.call(known, credential)
          const calls = (yield* simulator.calls).length
          assert(outcome._tag === "Hit" && operation.decode !== undefined)
          assert.deepStrictEqual(yield* operation.decode(JSON.parse(JSON.stringify(outcome.raw))), outcome)
          for (const wrong of [null, "text", 7, [], { data: 7 }]) {
            assert.strictEqual((yield* Effect.flip(operation.decode(wrong)))._tag, "InvalidResponse")
          }
          assert.strictEqual((yield* simulator.calls).length, calls, "nobody was asked")
        })
    )

    it.live("declares each field once, and none that facts do not have", () =>
      Effect.gen(function* () {
        const { operation, source } = yield* bound
        const fields: ReadonlyArray<string> = operation.fields
        assert.strictEqual(new Set(fields).size, fields.length)
        assert.deepStrictEqual(
          fields.filter((field) => !subject.facts.includes(field)),
          []
        )
        assert.strictEqual(source.credential, credential._tag)
        assert.isTrue(source.limits.concurrency > 0 && source.limits.timeout > 0 && source.limits.rate.calls > 0)
      })
    )

    it.live("misses, without an error, whom the vendor does not know", () =>
      Effect.gen(function* () {
        const { operation, simulator } = yield* bound
        assert.strictEqual((yield* operation.call(unknown, credential))._tag, "Miss")
        yield* simulator.fail({ _tag: "Miss" })
        assert.strictEqual((yield* operation.call(known, credential))._tag, "Miss")
      })
    )

    for (const [fault, tag] of faultsOf(credential)) {
      it.live(`${label(fault)} is ${tag}, after exactly ${count(requests(fault))}`, () =>
        Effect.gen(function* () {
          const { operation, simulator } = yield* bound
          yield* simulator.fail(fault)
          const error = yield* Effect.flip(operation.call(known, credential))
          assert.strictEqual(error._tag, tag)
          if (error._tag === "RateLimited" && fault._tag === "RateLimited" && fault.retryAfterSeconds !== null) {
            assert.closeTo(error.retryAfter ?? 0, fault.retryAfterSeconds * 1000, 1000)
          }
          assert.strictEqual((yield* simulator.calls).length, requests(fault))
        })
      )
    }

    it.live("a subject who objected is an answer of its own, where the vendor has one", () =>
      Effect.gen(function* () {
        const { operation, simulator } = yield* bound
        const fault: Fault = { _tag: "Suppressed" }
        yield* simulator.fail(fault)
        const answer = yield* Effect.match(operation.call(known, credential), {
          onFailure: (error): string => error._tag,
          onSuccess: (outcome): string => outcome._tag
        })
        assert.strictEqual(answer, options.objections === false ? "Miss" : "Suppressed")
        assert.strictEqual((yield* simulator.calls).length, requests(fault))
      })
    )

    it.live("an answer that is slow is an answer", () =>
      Effect.gen(function* () {
        const { operation, simulator } = yield* bound
        yield* simulator.fail({ _tag: "Slow", millis: 30 }, 1)
        assert.strictEqual((yield* operation.call(known, credential))._tag, "Hit")
      })
    )

    it.live("an interrupted call ends at once, and its request with it", () =>
      Effect.gen(function* () {
        const { operation, simulator } = yield* bound
        yield* simulator.fail({ _tag: "Hang" })
        const fiber = yield* Effect.forkChild(operation.call(known, credential))
        yield* Effect.repeat(simulator.calls, { until: (calls) => calls.length === 1, schedule: tick })
        assert.strictEqual(yield* simulator.waiting, 1)
        yield* Fiber.interrupt(fiber).pipe(Effect.timeout(1000))
        yield* Effect.repeat(simulator.waiting, { until: (count) => count === 0, schedule: tick }).pipe(
          Effect.timeout(1000)
        )
      })
    )

    it.live("a wrong key is Unauthorized; a credential of another shape is too, without a request", () =>
      Effect.gen(function* () {
        const { operation, simulator } = yield* bound
        if (credential._tag === "None") return
        const wrong = yield* Effect.flip(operation.call(known, misspelt(credential)))
        assert.strictEqual(wrong._tag, "Unauthorized")
        assert.deepStrictEqual(
          (yield* simulator.calls).map((call) => call.authorized),
          [false]
        )
        yield* simulator.reset
        const none = yield* Effect.flip(operation.call(known, { _tag: "None" }))
        assert.strictEqual(none._tag, "Unauthorized")
        assert.isEmpty(yield* simulator.calls)
      })
    )

    it.live("accepts what it can ask about, and asks about nothing else", () =>
      Effect.gen(function* () {
        const { operation, simulator } = yield* bound
        assert.isTrue(operation.accepts(known))
        assert.isTrue(operation.accepts(unknown))
        assert.isFalse(operation.accepts(subject.nobody))
        const error = yield* Effect.flip(operation.call(subject.nobody, credential))
        assert.strictEqual(error._tag, "InvalidInput")
        assert.isEmpty(yield* simulator.calls)
      })
    )

    it.live("keeps the credential out of every error, log and span", () =>
      Effect.gen(function* () {
        const { operation, simulator } = yield* bound
        const faults: ReadonlyArray<Fault | null> = [
          null,
          { _tag: "Miss" },
          ...faultsOf(credential).map(([fault]) => fault)
        ]
        for (const fault of faults) {
          yield* simulator.reset
          if (fault !== null) yield* simulator.fail(fault)
          const seen = yield* watched(operation.call(known, credential))
          assert.isNotEmpty(seen.spans)
          const told = [seen, Exit.isFailure(seen.exit) ? String(seen.exit.cause) : ""]
          for (const secret of secrets) {
            assert.isFalse(mentions(told, secret), `the credential is seen after ${fault?._tag ?? "a hit"}`)
          }
        }
      })
    )
  })
}

/** Facts that only repeat whom the question was about. */
const IDENTITY: ReadonlySet<string> = new Set([
  "primary_domain",
  "first_name",
  "last_name",
  "company_domain",
  "domain_aliases"
])

const isEmpty = (value: unknown): boolean => {
  if (value === null || value === undefined || value === "") return true
  return typeof value === "object" && Object.values(value).every(isEmpty)
}
