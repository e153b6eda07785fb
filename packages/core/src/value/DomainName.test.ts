import { assert, it } from "@effect/vitest"
import * as DomainName from "./DomainName.ts"

it("reads a domain out of what people paste", () => {
  for (const text of [
    "acme.example",
    " ACME.example. ",
    "www.acme.example",
    "https://www.acme.example/about?x=1",
    "http://user@acme.example:8080/"
  ]) {
    assert.strictEqual(DomainName.parse(text), "acme.example", text)
  }
  assert.strictEqual(DomainName.parse("bücher.example"), "xn--bcher-kva.example")
  assert.strictEqual(DomainName.parse("www.com"), "www.com")
})

it("refuses what is no domain", () => {
  for (const text of [
    "",
    "acme",
    "10.0.0.1",
    "a b.example",
    "-.example",
    "acme..example",
    "[::1]",
    "ä",
    "x".repeat(300)
  ]) {
    assert.isNull(DomainName.parse(text), text)
  }
})

it("knows which names one registrant owns", () => {
  assert.isTrue(DomainName.sameOwner("shop.acme.co.uk", "acme.co.uk"))
  assert.isFalse(DomainName.sameOwner("acme.co.uk", "other.co.uk"))
  assert.isFalse(DomainName.sameOwner("a.github.io", "b.github.io"))
  assert.isTrue(DomainName.sameOwner("www2.acme.example", "acme.example"))
})
