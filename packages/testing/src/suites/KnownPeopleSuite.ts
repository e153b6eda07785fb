/** What every store of known people does. */
import { assert, describe, it } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { KnownPeople } from "@lading/core/person"
import { Clock, Effect, type Layer } from "effect"

let made = 0
const run = Math.random().toString(36).slice(2, 10)

/** A company of its own for each test: stores may be shared. */
const company = () => `people${run}${++made}.example`

const person = (company_domain: string, last_name: string, more: Partial<KnownPeople.KnownPerson> = {}) => ({
  first_name: "Mara",
  last_name,
  current_title: "Head of Procurement",
  company_name: "Acme",
  company_domain,
  city: null,
  country: "NO",
  linkedin_url: null,
  emails: [{ email: `mara.${last_name.toLowerCase()}@${company_domain}`, type: "work", status: "valid" } as const],
  phones: [],
  ...more
})

const shared = { account: null, kept_until: Number.MAX_SAFE_INTEGER }

const names = (people: ReadonlyArray<KnownPeople.KnownPerson>) => people.map(({ last_name }) => last_name).toSorted()

/** `layer` brings the list of those who have objected along. */
export const knownPeopleSuite = <E>(
  name: string,
  layer: Layer.Layer<KnownPeople.KnownPeople | Suppression.Suppression, E>
): void => {
  describe(`KnownPeople: ${name}`, () => {
    it.live("people are found by the domain of their company, the last word about a name counts", () =>
      Effect.gen(function* () {
        const { at, put } = yield* KnownPeople.KnownPeople
        const domain = company()
        assert.deepStrictEqual(yield* at(domain, "acc_a"), [])
        yield* put(person(domain, "Ellison"), shared)
        yield* put(person(`shop.${domain}`, "Berg"), shared)
        yield* put(person(domain, "ELLISON", { current_title: "Director" }), shared)
        const found = yield* at(`www.${domain}`.slice(4), "acc_a")
        assert.deepStrictEqual(names(found), ["Berg", "ELLISON"])
        assert.deepStrictEqual(
          found.find(({ last_name }) => last_name === "ELLISON"),
          person(domain, "ELLISON", { current_title: "Director" })
        )
        assert.deepStrictEqual(yield* at(company(), "acc_a"), [])
      }).pipe(Effect.provide(layer))
    )

    it.live("what an account's own key bought is its alone, in place of everybody's", () =>
      Effect.gen(function* () {
        const { at, put } = yield* KnownPeople.KnownPeople
        const domain = company()
        yield* put(person(domain, "Ellison"), shared)
        yield* put(person(domain, "Ellison", { current_title: "Owner" }), { ...shared, account: "acc_a" })
        yield* put(person(domain, "Berg"), { ...shared, account: "acc_a" })
        const titles = (account: string) =>
          Effect.map(at(domain, account), (all) => all.map((one) => one.current_title))
        assert.deepStrictEqual((yield* titles("acc_a")).toSorted(), ["Head of Procurement", "Owner"])
        assert.deepStrictEqual(yield* titles("acc_b"), ["Head of Procurement"])
      }).pipe(Effect.provide(layer))
    )

    it.live("whose time is over is not shown, and is swept", () =>
      Effect.gen(function* () {
        const { at, put, sweep } = yield* KnownPeople.KnownPeople
        const domain = company()
        const now = yield* Clock.currentTimeMillis
        yield* put(person(domain, "Ellison"), { account: null, kept_until: now - 1 })
        yield* put(person(domain, "Berg"), shared)
        assert.deepStrictEqual(names(yield* at(domain, "acc_a")), ["Berg"])
        assert.isAtLeast(yield* sweep, 1)
        assert.deepStrictEqual(names(yield* at(domain, "acc_a")), ["Berg"])
      }).pipe(Effect.provide(layer))
    )

    it.live("a company has a bounded number of people, the newest", () =>
      Effect.gen(function* () {
        const { at, put } = yield* KnownPeople.KnownPeople
        const domain = company()
        for (let index = 0; index < KnownPeople.MOST + 3; index++) yield* put(person(domain, `N${index}`), shared)
        const found = yield* at(domain, "acc_a")
        assert.lengthOf(found, KnownPeople.MOST)
        assert.include(names(found), `N${KnownPeople.MOST + 2}`)
      }).pipe(Effect.provide(layer))
    )

    it.live("who is erased is gone, by any handle, and is not put again", () =>
      Effect.gen(function* () {
        const { at, erase, put } = yield* KnownPeople.KnownPeople
        const suppression = yield* Suppression.Suppression
        const domain = company()
        yield* put(person(domain, "Ellison"), shared)
        yield* put(person(domain, "Berg"), { ...shared, account: "acc_a" })
        const handle = `email:mara.ellison@${domain}`
        yield* suppression.add(handle)
        assert.strictEqual(yield* erase([handle]), 1)
        yield* put(person(domain, "Ellison"), shared)
        assert.deepStrictEqual(names(yield* at(domain, "acc_a")), ["Berg"])
        yield* suppression.add(`domain:${domain}`)
        assert.strictEqual(yield* erase([`domain:${domain}`]), 1)
        assert.deepStrictEqual(yield* at(domain, "acc_a"), [])
      }).pipe(Effect.provide(layer))
    )
  })
}
