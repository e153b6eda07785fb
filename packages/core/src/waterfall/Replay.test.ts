import { assert, describe, it } from "@effect/vitest"
import { ScriptedSource } from "@lading/testing"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { CompanyEnrichment, CompanySubject } from "../company/index.ts"
import { Core } from "../index.ts"
import { PersonEnrichment } from "../person/index.ts"
import { embedded } from "../request/Caller.ts"
import * as AnswerCache from "./AnswerCache.ts"
import * as Replay from "./Replay.ts"
import * as RunLog from "./RunLog.ts"
import * as Slots from "./Slots.ts"
import * as Source from "./Source.ts"
import { InvalidResponse, Unavailable } from "./SourceError.ts"

const raw = { company: "Acme Robotics", founded: 1999 }

/** A vendor that is asked once: afterwards it is down. */
const vendor = (name: (raw: { company: string }) => string, version = "1") => {
  const made = { calls: 0 }
  const read = (body: typeof raw) =>
    Source.hit({ name: name(body), founded_year: body.founded, keywords: ["robots"] }, body)
  const source = ScriptedSource.make({
    version,
    company: () =>
      Effect.suspend(() => {
        made.calls++
        return Effect.succeed(read(raw))
      }),
    // What comes out of a store is what went into it.
    decodeCompany: (body) => Effect.succeed(read(body as typeof raw))
  })
  return { source, made }
}

const missing = ScriptedSource.make({ company: () => Effect.succeed(Source.miss) })
const down = ScriptedSource.make({
  company: () => Effect.fail(new Unavailable({ source: "down", problem: "503" })),
  repeatable: false
})

const request = { identity: { domains: ["acme.example", "velham.example"] }, waterfall: { mode: "aggregate" } } as const

const slots = (...sources: ReadonlyArray<Source.Source>) => sources.map((one, index) => Slots.bound(`s${index}`, one))

const enrich = Effect.gen(function* () {
  const { enrich } = yield* CompanyEnrichment.CompanyEnrichment
  yield* enrich(request, embedded("req_1", 0))
})

/** Replays over other slots, from the stores of the context. */
const replays = (over: ReadonlyArray<Slots.Slot>) =>
  Layer.fresh(Replay.layer({ company: Replay.of(CompanySubject) })).pipe(Layer.provide(Slots.layer(over)))

describe("Replay", () => {
  it.effect("says the same of a run that nothing has changed for, and asks nobody", () => {
    const { made, source } = vendor(({ company }) => company)
    return Effect.gen(function* () {
      yield* enrich
      const calls = made.calls
      const { replay } = yield* Replay.Replay
      const report = yield* replay("req_1")
      assert.isTrue(report.same)
      assert.strictEqual(made.calls, calls)
      assert.deepStrictEqual([report.operation, report.account, report.subjects.length], ["company", "local", 2])
      assert.deepStrictEqual(
        report.subjects[0]?.sources.map(({ reading, source }) => [source, reading]),
        [
          ["s0", "decoded"],
          ["s1", "nothing"],
          ["s2", "nothing"]
        ]
      )
    }).pipe(Effect.provide(Core.layerMemory(slots(source, missing, down))))
  })

  it.effect("prints each field that an adapter of today reads otherwise, with the source before and after", () => {
    const before = vendor(({ company }) => company)
    const after = vendor(({ company }) => company.toUpperCase(), "2")
    return Effect.gen(function* () {
      yield* enrich
      const report = yield* Effect.flatMap(Replay.Replay, ({ replay }) => replay("req_1")).pipe(
        Effect.provide(replays(slots(after.source, missing, down)))
      )
      assert.isFalse(report.same)
      assert.deepStrictEqual(report.subjects[0]?.differences, [
        {
          field: "name",
          before: { value: "Acme Robotics", source: "s0" },
          after: { value: "ACME ROBOTICS", source: "s0" }
        }
      ])
      assert.deepStrictEqual(report.subjects[0]?.sources[0], {
        source: "s0",
        adapter_then: "scripted@1",
        adapter_now: "scripted@2",
        reading: "decoded",
        problem: null
      })
    }).pipe(Effect.provide(Core.layerMemory(slots(before.source, missing, down))))
  })

  it.effect("says which answer an adapter of today cannot read, and what is missing then", () => {
    const { source } = vendor(({ company }) => company)
    const strict = ScriptedSource.make({
      company: () => Effect.succeed(Source.miss),
      decodeCompany: () => Effect.fail(new InvalidResponse({ source: "scripted", problem: "missing field at company" }))
    })
    return Effect.gen(function* () {
      yield* enrich
      const report = yield* Effect.flatMap(Replay.Replay, ({ replay }) => replay("req_1")).pipe(
        Effect.provide(replays(slots(strict)))
      )
      assert.isFalse(report.same)
      const [first] = report.subjects
      assert.deepInclude(first?.sources[0], { reading: "unreadable", problem: "missing field at company" })
      assert.deepStrictEqual(
        first?.differences.map(({ field }) => field),
        ["name", "founded_year", "keywords"]
      )
    }).pipe(Effect.provide(Core.layerMemory(slots(source))))
  })

  it.effect("takes the facts as they were read then where the slot has another vendor by now", () => {
    const { source } = vendor(({ company }) => company)
    const other = ScriptedSource.make({ adapter: "other", company: () => Effect.succeed(Source.miss) })
    return Effect.gen(function* () {
      yield* enrich
      const report = yield* Effect.flatMap(Replay.Replay, ({ replay }) => replay("req_1")).pipe(
        Effect.provide(replays(slots(other)))
      )
      assert.isTrue(report.same)
      assert.deepInclude(report.subjects[0]?.sources[0], { reading: "facts", adapter_now: "other@1" })
    }).pipe(Effect.provide(Core.layerMemory(slots(source))))
  })

  it.effect("replays from the answers of then, whatever newer ones have come", () => {
    let year = 1999
    const source = ScriptedSource.make({
      company: () => Effect.sync(() => Source.hit({ name: "Acme", founded_year: ++year }, { year }))
    })
    return Effect.gen(function* () {
      const { enrich } = yield* CompanyEnrichment.CompanyEnrichment
      const { replay } = yield* Replay.Replay
      const asking = { identity: { domains: ["acme.example"] }, waterfall: { max_cache_age_s: 0 } }
      yield* enrich(asking, embedded("req_1", 0))
      yield* TestClock.adjust(1000)
      yield* enrich(asking, embedded("req_2", 1000))
      for (const id of ["req_1", "req_2"]) assert.isTrue((yield* replay(id)).same, id)
    }).pipe(Effect.provide(Core.layerMemory(slots(source))))
  })

  it.effect("finds no run that was never answered, has been kept long enough, or speaks of somebody erased", () => {
    const { source } = vendor(({ company }) => company)
    return Effect.gen(function* () {
      const { replay } = yield* Replay.Replay
      const log = yield* RunLog.RunLog
      assert.strictEqual((yield* Effect.flip(replay("req_1")))._tag, "UnknownRun")
      yield* enrich
      assert.strictEqual(yield* log.erase(["domain:velham.example"]), 1)
      assert.strictEqual((yield* Effect.flip(replay("req_1")))._tag, "UnknownRun")
      yield* enrich
      yield* TestClock.adjust("31 days")
      assert.strictEqual((yield* Effect.flip(replay("req_1")))._tag, "UnknownRun")
    }).pipe(Effect.provide(Core.layerMemory(slots(source))))
  })

  it.effect("says that an answer is lost that is no longer kept", () => {
    const { source } = vendor(({ company }) => company)
    return Effect.gen(function* () {
      yield* enrich
      const answers = yield* AnswerCache.AnswerCache
      yield* answers.erase(["domain:acme.example"])
      const report = yield* Effect.flatMap(Replay.Replay, ({ replay }) => replay("req_1"))
      assert.isFalse(report.same)
      assert.deepStrictEqual(
        report.subjects.map(({ sources }) => sources[0]?.reading),
        ["lost", "decoded"]
      )
    }).pipe(Effect.provide(Core.layerMemory(slots(source))))
  })

  it.effect("replays persons too, and an own key's answers of its account", () => {
    const person = ScriptedSource.make({
      credential: "ApiKey",
      person: () =>
        Effect.succeed(Source.hit({ current_title: "Head of Procurement" }, { title: "Head of Procurement" }))
    })
    return Effect.gen(function* () {
      const { enrich } = yield* PersonEnrichment.PersonEnrichment
      const identity = { first_name: "Mara", last_name: "Ellison", domain: "acme.example" }
      const waterfall = { byok: { provider_a_api_key: Redacted.make("an-own-key") } }
      yield* enrich({ identity, waterfall }, embedded("req_1", 0, "acc_7"))
      const { replay } = yield* Replay.Replay
      const report = yield* replay("req_1")
      assert.isTrue(report.same)
      assert.strictEqual(report.subjects[0]?.sources[0]?.reading, "facts")
      const log = yield* RunLog.RunLog
      assert.notInclude(JSON.stringify(yield* log.find("req_1")), "an-own-key")
    }).pipe(Effect.provide(Core.layerMemory([Slots.bound("provider_a", person)])))
  })
})
