/** Every run over every adapter that there is, replayed: nothing may come out otherwise, and nobody may be asked. */
import { assert, describe, it } from "@effect/vitest"
import { Core } from "@lading/core"
import { CompanyEnrichment } from "@lading/core/company"
import { PersonEnrichment } from "@lading/core/person"
import { Caller } from "@lading/core/request"
import { Replay, RunLog } from "@lading/core/waterfall"
import { Population } from "@lading/testing"
import { Effect, Exit, Redacted, Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Binding from "../server/Binding.ts"
import { read } from "../server/Configuration.ts"
import * as Simulation from "./Simulation.ts"

const world = Population.standard

/** Core over the simulated vendors and sites in their slots, which stop with the scope that is given. */
const over = Effect.fnUntraced(function* (vendors: Scope.Scope) {
  const configuration = yield* Scope.provide(Effect.flatMap(read({}), Simulation.configure), vendors)
  return Core.layerMemory(yield* Effect.forEach(configuration.providers, Binding.bind))
}, Effect.provide(FetchHttpClient.layer))

const modes = ["first_match", "aggregate", "fill_missing"] as const
const byok = { provider_d_api_key: Redacted.make("an-own-key-of-somebody") }

/** Options that a run may have: the mode, the order, own keys, and whether kept answers are taken. */
const waterfall = (at: number) => ({
  mode: modes[at % 3] ?? "aggregate",
  ...(at % 2 === 0 ? { byok } : {}),
  ...(at % 5 === 0 ? { source_order: ["provider_d", "provider_b", "provider_a"] } : {}),
  ...(at % 5 === 1 ? { source_order: "cheapest" as const } : {}),
  ...(at % 4 === 0 ? { max_cache_age_s: 0 } : {})
})

const caller = (at: number) => Caller.embedded(`req_${at}`, Date.now(), `acc_${at % 2}`)

/** Companies that all, some and none of the vendors know; alone, in company, and again from the cache. */
const askCompanies = Effect.fnUntraced(function* (count: number) {
  const { enrich } = yield* CompanyEnrichment.CompanyEnrichment
  for (let at = 0; at < count; at++) {
    const company = world.company(at % 40)
    const identity =
      at % 7 === 0
        ? { names: [company.name] }
        : {
            domains: [
              company.domain,
              ...(at % 3 === 0 ? ["nobody-knows-it.example", world.company(at + 1).domain] : [])
            ]
          }
    yield* enrich({ identity, waterfall: waterfall(at) }, caller(at))
  }
})

const askPersons = Effect.fnUntraced(function* (from: number, count: number) {
  const { enrich } = yield* PersonEnrichment.PersonEnrichment
  for (let at = from; at < from + count; at++) {
    const company = world.company(at % 20)
    const person = world.peopleOf(company)[at % 3]
    const identity = {
      first_name: person?.first_name ?? "Nobody",
      last_name: person?.last_name ?? "Knows",
      domain: company.domain
    }
    yield* enrich({ identity, waterfall: waterfall(at) }, caller(at))
  }
})

const replayAll = Effect.fnUntraced(function* (count: number) {
  const { replay } = yield* Replay.Replay
  const log = yield* RunLog.RunLog
  const readings = new Map<string, number>()
  for (let at = 0; at < count; at++) {
    const report = yield* replay(`req_${at}`)
    assert.isTrue(report.same, JSON.stringify(report))
    assert.notInclude(JSON.stringify(yield* log.find(`req_${at}`)), "an-own-key-of-somebody")
    for (const { adapter_then, reading } of report.subjects.flatMap(({ sources }) => sources)) {
      const name = `${adapter_then} ${reading}`
      readings.set(name, (readings.get(name) ?? 0) + 1)
    }
  }
  return readings
})

describe("replays of every adapter's runs", () => {
  it.live(
    "come out the same, decoded from raw answers that hold no key, when no vendor is there any more",
    () =>
      Effect.gen(function* () {
        const vendors = yield* Scope.make()
        const core = yield* over(vendors)
        const [companies, persons] = [120, 80]
        const readings = yield* Effect.gen(function* () {
          yield* askCompanies(companies)
          yield* askPersons(companies, persons)
          yield* Scope.close(vendors, Exit.void)
          return yield* replayAll(companies + persons)
        }).pipe(Effect.provide(core))
        for (const adapter of ["apollo", "plain", "hunter", "peopledatalabs", "website"].map(
          (name) => `${name}@1-simulated`
        )) {
          assert.isAbove(readings.get(`${adapter} decoded`) ?? 0, 10, adapter)
          assert.isUndefined(readings.get(`${adapter} facts`), adapter)
        }
      }),
    240_000
  )
})
