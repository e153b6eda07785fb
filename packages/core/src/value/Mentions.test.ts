import { assert, describe, it } from "@effect/vitest"
import * as Handle from "../account/Handle.ts"
import * as MailAddress from "./MailAddress.ts"
import * as Mentions from "./Mentions.ts"

const of = (value: unknown) => [...Mentions.of(value)].toSorted()

describe("Mentions", () => {
  it("finds addresses, pages and domains wherever they stand, in names of members too", () => {
    assert.deepStrictEqual(of({ a: [{ deep: "Mara.Ellison@Acme.Example" }] }), [
      "domain:acme.example",
      "email:mara.ellison@acme.example"
    ])
    assert.deepStrictEqual(of({ "noor@velham.test": 1 }), ["domain:velham.test", "email:noor@velham.test"])
    assert.deepStrictEqual(of("https://www.LinkedIn.com/in/Mara/?trk=x"), [
      "domain:linkedin.com",
      "url:linkedin.com/in/mara"
    ])
    assert.deepStrictEqual(of("linkedin.com/in/mara"), ["domain:linkedin.com", "url:linkedin.com/in/mara"])
    assert.deepStrictEqual(of(["shop.acme.example", "https://acme.example/"]), ["domain:acme.example"])
  })

  it("finds several in running text, without what stands around them", () => {
    assert.deepStrictEqual(
      of('Ask <mara@acme.example>, "noor@velham.test"; or see (https://pages.example/team/mara).'),
      [
        "domain:acme.example",
        "domain:pages.example",
        "domain:velham.test",
        "email:mara@acme.example",
        "email:noor@velham.test",
        "url:pages.example/team/mara"
      ]
    )
    assert.deepStrictEqual(of("mailto:mara@acme.example?subject=x"), ["domain:acme.example", "email:mara@acme.example"])
  })

  it("finds a subject that can be erased, whatever stands around it", () => {
    const subjects = [
      "mara@acme.example",
      "o'brien@acme.example",
      "mara+news@shop.acme.example",
      "mara.ellison_1@acme.example",
      "mara@b\u00fccher.example",
      "linkedin.com/in/mara",
      "https://www.linkedin.com/in/mara/",
      "https://x.com/mara",
      "https://pages.example/team/mara"
    ]
    const around: ReadonlyArray<(text: string) => string> = [
      (text) => text,
      (text) => `  ${text} `,
      (text) => `<${text}>`,
      (text) => `\u201c${text}\u201d`,
      (text) => `(${text}),`,
      (text) => `**${text}**`,
      (text) => `|${text}|`,
      (text) => `see ${text}.`,
      (text) => `${text}\u2026`,
      (text) => `${"x ".repeat(60_000)}${text}`
    ]
    for (const subject of subjects) {
      const handle = Handle.read(subject)
      assert(typeof handle !== "string", subject)
      for (const put of around) {
        // Pages without a scheme are found in running text on the known networks only.
        assert.include(Mentions.of([put(subject)]), handle.text, put(subject).slice(-80))
      }
    }
    for (const said of [
      "\u90ae\u7bb1mara@acme.example\uff0c\u8c22\u8c22",
      "mara%40acme.example",
      "x?email=mara%40acme.example",
      "mara&#64;acme.example",
      "mara@acme.example\u2013sales",
      "mailto:MARA@ACME.example"
    ]) {
      assert.include(Mentions.of(said), "email:mara@acme.example", said)
    }
    assert.include(Mentions.of("mara@xn--bcher-kva.example"), MailAddress.emailHandle("mara@b\u00fccher.example"))
  })

  it("finds an address in every spelling that a mail host would be told it in", () => {
    for (const said of [
      '"mara"@acme.example',
      ' "MARA"@acme.example ',
      '"ma\\ra"@acme.example',
      "mara@acme\u3002example",
      "mara@acme\uff0eexample",
      "mara@\uff41cme.example",
      "mara@acme.example\u3002"
    ]) {
      assert.includeMembers([...Mentions.of([said])], ["email:mara@acme.example", "domain:acme.example"], said)
    }
    assert.include(Mentions.of('"mara ellison"@acme.example'), "domain:acme.example")
    assert.include(Mentions.of("mara@\u2116rdvik.example"), "email:mara@nordvik.example")
  })

  it("takes nothing for a mention that is none", () => {
    assert.deepStrictEqual(
      of(["Robots that move boxes.", "v1.2.3 of 2024", "a@b", "@acme", "1.5", "", null, 7, true]),
      []
    )
  })

  it("stands any depth and any length", () => {
    let deep: unknown = "mara@acme.example"
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    assert.strictEqual(of(deep).length, 2)
    const started = performance.now()
    for (const text of ["@".repeat(90_000), "a.".repeat(45_000), `${"x".repeat(90_000)}@`, "http://".repeat(12_000)])
      of(text)
    // Quadratic would be minutes; this is no measurement.
    assert.isBelow(performance.now() - started, 10_000)
  })

  it("leaves out what mentions a handle, and nothing else", () => {
    const facts = {
      name: "Acme",
      description: "Ask mara@acme.example",
      emails: ["mara@acme.example", "info@acme.example"],
      hq: { city: "Oslo", note: "MARA@ACME.EXAMPLE" }
    }
    assert.deepStrictEqual(Mentions.without(facts, new Set(["email:mara@acme.example"])), {
      name: "Acme",
      description: null,
      emails: ["info@acme.example"],
      hq: { city: "Oslo", note: null }
    })
  })
})
