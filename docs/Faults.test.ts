/**
 * The table of faults in `docs/adapters.md` is what happens: every adapter, at each of its requests, with every fault that
 * the simulators can produce, over real HTTP.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Simulator } from "../packages/testing/src/index.ts"
import { Effect, Fiber } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { readdirSync } from "node:fs"
import * as Markdown from "./fixtures/Markdown.ts"
import * as Vendors from "./fixtures/Vendors.ts"

type Tag = Simulator.Fault["_tag"]

/** Every fault there is, each in its variants, by the heading of its column. */
const faults: { readonly [Name in Tag]: ReadonlyArray<Extract<Simulator.Fault, { readonly _tag: Name }>> } = {
  Miss: [{ _tag: "Miss" }],
  Slow: [{ _tag: "Slow", millis: 20 }],
  Hang: [{ _tag: "Hang" }],
  Drop: [{ _tag: "Drop" }],
  ServerError: [
    { _tag: "ServerError", status: 500 },
    { _tag: "ServerError", status: 503 }
  ],
  RateLimited: [
    { _tag: "RateLimited", retryAfterSeconds: 7 },
    { _tag: "RateLimited", retryAfterSeconds: null }
  ],
  MalformedJson: [{ _tag: "MalformedJson" }],
  TruncatedJson: [{ _tag: "TruncatedJson" }],
  WrongShape: [{ _tag: "WrongShape" }],
  WrongKey: [{ _tag: "WrongKey" }],
  QuotaExhausted: [{ _tag: "QuotaExhausted" }],
  Suppressed: [{ _tag: "Suppressed" }]
}
const tags = Object.keys(faults) as ReadonlyArray<Tag>

const named = (asked: ReturnType<Vendors.Ask>): Effect.Effect<string> =>
  Effect.match(asked, {
    onFailure: ({ _tag }) => _tag,
    onSuccess: (answer) => ("_tag" in answer ? answer._tag : answer.hits.length > 0 ? "Hit" : "Miss")
  })

/** What is waited for as long as the waterfall waits: the adapter's clock runs once the request hangs. */
const untilTime = Effect.fnUntraced(function* (
  asked: Effect.Effect<string>,
  vendor: Simulator.Simulator,
  before: number,
  time: number
) {
  const fiber = yield* Effect.timeoutOrElse(asked, { duration: time, orElse: () => Effect.succeed("TimedOut") }).pipe(
    Effect.forkChild
  )
  const real = TestClock.withLive(Effect.sleep(2))
  while ((yield* vendor.calls).length <= before || (yield* vendor.waiting) === 0) yield* real
  while (fiber.pollUnsafe() === undefined) {
    yield* TestClock.adjust(500)
    yield* real
  }
  return yield* Fiber.join(fiber)
})

const cell = Effect.fnUntraced(function* (
  vendor: Vendors.Vendor,
  before: number,
  ask: Vendors.Ask,
  fault: Simulator.Fault
) {
  const { simulator, source } = yield* vendor.make
  yield* simulator.fail({ _tag: "Slow", millis: 0 }, before)
  yield* simulator.fail(fault)
  const asked = named(ask(source))
  return fault._tag === "Hang"
    ? yield* Effect.provide(untilTime(asked, simulator, before, source.limits.timeout), TestClock.layer())
    : yield* asked
})

/** At the same time: where an answer becomes pending in the end, it is waited for in real time. */
const together = { concurrency: "unbounded" } as const

/** One line of the table: each fault from this request on. */
const row = (vendor: Vendors.Vendor, [request, before, ask]: Vendors.Vendor["requests"][number]) =>
  Effect.map(
    Effect.forEach(
      tags,
      (tag) =>
        Effect.map(
          Effect.forEach(
            faults[tag],
            (fault: Simulator.Fault) => Effect.scoped(cell(vendor, before, ask, fault)),
            together
          ),
          (ends) => [...new Set(ends)].join(" or ")
        ),
      together
    ),
    (ends) => [vendor.adapter, request, ...ends]
  )

describe("the table of faults in docs/adapters.md", () => {
  it("has every vendor", () => {
    const folders = readdirSync(`${Markdown.root}/packages/providers/sources`, { withFileTypes: true })
    const vendors = folders.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    assert.sameMembers(
      Vendors.all.map(({ adapter }) => adapter),
      vendors
    )
  })

  it.live("is what every adapter makes of every fault", () =>
    Effect.gen(function* () {
      const lines = Vendors.all.flatMap((vendor) => vendor.requests.map((request) => row(vendor, request)))
      const happened = yield* Effect.all(lines, { concurrency: 3 })
      const page = Markdown.section(Markdown.read("docs/adapters.md"), "## 9. Faults")
      const told = Markdown.rows(page)
      const shown = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
      assert.include(page, shown(["Adapter", "Request", ...tags]))
      assert.deepStrictEqual(told.map(shown), happened.map(shown))
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
