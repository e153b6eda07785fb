/** What every reader of web pages must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { PageReader } from "@lading/core/contact"
import { Effect, type Layer } from "effect"

export interface PageReaderSuiteOptions<E> {
  readonly layer: Layer.Layer<PageReader.PageReader, E>
  /** A page that can be read, and something of each kind that stands on it. */
  readonly known: {
    readonly url: string
    readonly title: string
    readonly language: string
    readonly text: string
    readonly link: string
    readonly email: string
    /** In international format. */
    readonly phone: string
    readonly linkedin: string
  }
  /** An address at which there is no page. */
  readonly unknown: string
}

/** What nobody may ask, whatever is there. */
const refused = [
  "",
  "no address",
  "/contact",
  "ftp://acme.example/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "https://user:password@acme.example/",
  "https://acme.example:22/",
  "http://localhost/",
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://169.254.169.254/latest/meta-data/",
  "http://[::1]/",
  "http://[::ffff:10.0.0.1]/"
]

/** Registers the suite. */
export const pageReaderSuite = <E>(name: string, { known, layer, unknown }: PageReaderSuiteOptions<E>) =>
  withLayer(layer, { timeout: "60 seconds", excludeTestServices: true })(`PageReader: ${name}`, (it) => {
    it.effect("tells what stands on a page", () =>
      Effect.gen(function* () {
        const page = yield* (yield* PageReader.PageReader).read(known.url)
        assert.strictEqual(page.url, known.url)
        assert.strictEqual(page.status, 200)
        assert.strictEqual(page.title, known.title)
        assert.strictEqual(page.language, known.language)
        assert.include(page.text, known.text)
        assert.include(page.emails, known.email)
        assert.include(page.phones, known.phone)
        assert.strictEqual(page.social_links.linkedin_url, known.linkedin)
        assert.include(
          page.links.map(({ url }) => url),
          known.link
        )
      })
    )

    it.effect("gives addresses that are whole, each mail address and number once", () =>
      Effect.gen(function* () {
        const page = yield* (yield* PageReader.PageReader).read(known.url)
        for (const { rel, text, url } of page.links) {
          assert.match(url, /^https?:\/\/[^#]+$/)
          assert.isTrue(rel.every((word) => /^\S+$/.test(word) && word === word.toLowerCase()))
          assert.strictEqual(text, text.trim())
        }
        assert.strictEqual(new Set(page.emails).size, page.emails.length)
        assert.strictEqual(new Set(page.phones).size, page.phones.length)
        for (const email of page.emails) assert.match(email, /^[^\s@]+@[^\s@]+$/)
        for (const phone of page.phones) assert.match(phone, /^\+[\d ]+( ext\. \d+)?$/)
      })
    )

    it.effect("says that there is no such page", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* PageReader.PageReader).read(unknown))
        assert.strictEqual(error._tag, "PageNotFound")
      })
    )

    it.effect("refuses what is no public web address", () =>
      Effect.gen(function* () {
        const { read } = yield* PageReader.PageReader
        for (const url of refused) assert.strictEqual((yield* Effect.flip(read(url)))._tag, "PageRefused", url)
      })
    )
  })
