/** What every finder of contacts must do, whoever it asks for pages. */
import { assert, layer as withLayer } from "@effect/vitest"
import { ContactFinder } from "@lading/core/contact"
import { Effect, type Layer } from "effect"

export interface ContactFinderSuiteOptions<E> {
  readonly layer: Layer.Layer<ContactFinder.ContactFinder, E>
  /** A finder that nobody answers. */
  readonly down: Layer.Layer<ContactFinder.ContactFinder, E>
  /** A company with a domain, and what its own site shows. */
  readonly known: {
    readonly sought: ContactFinder.Sought
    readonly url: string
    readonly email: string
    /** In international format. */
    readonly phone: string
    /** What `from` may be. */
    readonly from: ReadonlyArray<string>
  }
  /** A company of which there is no page. */
  readonly unknown: ContactFinder.Sought
}

/** Registers the suite. */
export const contactFinderSuite = <E>(name: string, { down, known, layer, unknown }: ContactFinderSuiteOptions<E>) => {
  const find = (sought: ContactFinder.Sought) => Effect.flatMap(ContactFinder.ContactFinder, ({ find }) => find(sought))

  withLayer(layer, { timeout: "60 seconds", excludeTestServices: true })(`ContactFinder: ${name}`, (it) => {
    it.effect("finds the company's own pages, and what stands on them", () =>
      Effect.gen(function* () {
        const found = yield* find(known.sought)
        const own = found.find(({ url }) => url === known.url)
        assert.include(own?.emails ?? [], known.email)
        assert.include(own?.phones ?? [], known.phone)
        // The own site stands first, whatever else there is.
        assert.strictEqual(new URL(found[0]?.url ?? "").hostname, new URL(known.url).hostname)
      })
    )

    it.effect("gives each page once, and no page without a contact", () =>
      Effect.gen(function* () {
        const found = yield* find(known.sought)
        assert.strictEqual(new Set(found.map(({ url }) => url)).size, found.length)
        for (const { emails, from, phones, title, url, ...networks } of found) {
          assert.match(url, /^https?:\/\/[^#]+$/)
          assert.strictEqual(typeof title, "string")
          assert.include(known.from, from)
          for (const email of emails) assert.match(email, /^[^\s@A-Z]+@[^\s@A-Z]+$/)
          for (const phone of phones) assert.match(phone, /^\+[\d ]+( ext\. \d+)?$/)
          assert.strictEqual(new Set(emails).size, emails.length)
          assert.strictEqual(new Set(phones).size, phones.length)
          const links = Object.values(networks).filter((link) => link !== null)
          assert.isAbove(emails.length + phones.length + links.length, 0, url)
        }
      })
    )

    it.effect("finds nothing where nothing is, and says the same when it is asked again", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* find(unknown), [])
        assert.deepStrictEqual(yield* find({ name: null, domain: null, country: null }), [])
        assert.deepStrictEqual(yield* find(known.sought), yield* find(known.sought))
      })
    )
  })

  withLayer(down, { timeout: "60 seconds", excludeTestServices: true })(`ContactFinder: ${name}, down`, (it) => {
    it.effect("says that it could not look, rather than that there is nothing", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(find(known.sought))
        assert.strictEqual(error._tag, "ContactFinderUnavailable")
        assert.notInclude(error.problem, known.email)
      })
    )
  })
}
