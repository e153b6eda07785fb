import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { CatchAll } from "./CatchAll.ts"
import { type Heard, Inquiry, type Item, type Saying, type Target } from "./Inquiry.ts"
import { groupOf } from "./Provider.ts"

const route = {
  _tag: "Hosts",
  implicit: false,
  group: groupOf("mx.acme.test"),
  hosts: [{ name: "mx.acme.test", addresses: ["192.0.2.1"] }]
} as const

const begin = Effect.map(Clock.Clock, (clock) => {
  const catchAll = new CatchAll(clock)
  return (...locals: ReadonlyArray<string>) => {
    const heard = new Map<string, Heard>()
    const targets = locals.map((local): Target => ({ local, smtputf8: false }))
    const emit = ({ local }: Target, each: Heard) => void heard.set(local, each)
    const inquiry = new Inquiry({ domain: "acme.test", route, targets, emit }, catchAll, "verify@verifier.test")
    return { inquiry, heard }
  }
})

const sayings = {
  taken: [250, "accepted"],
  unknown: [550, "unknown_user"],
  grey: [450, "greylisted"]
} as const

/** All that it wants to know now gets this answer. */
const answer = (inquiry: Inquiry<Target>, how: keyof typeof sayings): ReadonlyArray<string> => {
  const items: Array<Item<Target>> = []
  for (let item = inquiry.take(); item !== undefined; item = inquiry.take()) items.push(item)
  const [code, said] = sayings[how]
  const saying: Saying = {
    reply: { stage: "recipient", code, enhanced: null, class: said },
    broken: null,
    atLast: null
  }
  const told = { _tag: "Replied", stage: "recipient", reply: { code, lines: [""] } } as const
  for (const item of items) inquiry.hear(item, told, saying, { host: "mx.acme.test", isFresh: true })
  inquiry.turn()
  return items.map(({ local }) => local)
}

const catchAllOf = (heard: ReadonlyMap<string, Heard>) =>
  Object.fromEntries([...heard].map(([local, { conversation }]) => [local, conversation.catch_all]))

describe("Inquiry", () => {
  it.effect("takes a domain for one that takes every name when it took two of different shapes", () =>
    Effect.gen(function* () {
      const { heard, inquiry } = (yield* begin)("mara")
      assert.deepStrictEqual(answer(inquiry, "taken"), ["mara"])
      const [first = ""] = answer(inquiry, "taken")
      assert.match(first, /^[a-z]{6}\.[a-z]{8}$/)
      assert.strictEqual(heard.size, 0)
      const [second = ""] = answer(inquiry, "taken")
      assert.match(second, /^[a-z]{9}\d{2}$/)
      assert.deepStrictEqual(catchAllOf(heard), { mara: true })
      assert.isTrue(inquiry.isDone)
    })
  )

  it.effect("does not where the second was unknown", () =>
    Effect.gen(function* () {
      const { heard, inquiry } = (yield* begin)("mara")
      for (const how of ["taken", "taken", "unknown"] as const) answer(inquiry, how)
      assert.deepStrictEqual(catchAllOf(heard), { mara: false })
    })
  )

  it.effect("asks for no such name where somebody is unknown", () =>
    Effect.gen(function* () {
      const { heard, inquiry } = (yield* begin)("nobody")
      answer(inquiry, "unknown")
      assert.isTrue(inquiry.isDone)
      assert.deepStrictEqual(catchAllOf(heard), { nobody: false })
    })
  )

  it.effect("says that it has to be asked later where the host does", () =>
    Effect.gen(function* () {
      const { heard, inquiry } = (yield* begin)("mara")
      answer(inquiry, "taken")
      answer(inquiry, "grey")
      assert.deepInclude(heard.get("mara"), { isPutOff: true })
      assert.deepStrictEqual(catchAllOf(heard), { mara: null })
    })
  )

  it.effect("lets one ask for all that ask about the domain at once", () =>
    Effect.gen(function* () {
      const make = yield* begin
      const [one, other] = [make("mara"), make("theo")]
      answer(one.inquiry, "taken")
      answer(other.inquiry, "taken")
      assert.isTrue(one.inquiry.isOpen)
      assert.isFalse(other.inquiry.isOpen)
      const { waiting } = other.inquiry
      answer(one.inquiry, "taken")
      answer(one.inquiry, "taken")
      assert.isNotNull(waiting)
      other.inquiry.told(yield* Effect.promise(() => waiting ?? Promise.reject(new Error("nobody asks"))))
      assert.deepStrictEqual([catchAllOf(one.heard), catchAllOf(other.heard)], [{ mara: true }, { theo: true }])
    })
  )

  it.effect("asks itself where the one that did has given up", () =>
    Effect.gen(function* () {
      const make = yield* begin
      const [one, other] = [make("mara"), make("theo")]
      answer(one.inquiry, "taken")
      answer(other.inquiry, "taken")
      const { waiting } = other.inquiry
      one.inquiry.abandon()
      other.inquiry.told(yield* Effect.promise(() => waiting ?? Promise.reject(new Error("nobody asks"))))
      assert.isTrue(other.inquiry.isOpen)
      answer(other.inquiry, "unknown")
      assert.deepStrictEqual(catchAllOf(other.heard), { theo: false })
    })
  )
})
