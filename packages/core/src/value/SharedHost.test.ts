import { assert, it } from "@effect/vitest"
import * as SharedHost from "./SharedHost.ts"

it("knows mail that everybody can have", () => {
  for (const domain of ["gmail.com", "yahoo.co.uk", "hotmail.fr", "gmx.de"]) assert.isTrue(SharedHost.mail(domain))
  for (const domain of ["acme.example", "yahoo.example.com", "live.acme.example"])
    assert.isFalse(SharedHost.mail(domain))
})

it("takes a page on a network for nobody's own site, and the network's own for its own", () => {
  for (const text of [
    "linkedin.com/company/acme",
    "https://no.linkedin.com/company/acme/",
    "twitter.com/#!/acme",
    "n/a"
  ]) {
    assert.isNull(SharedHost.ownSite(text), text)
  }
  assert.strictEqual(SharedHost.ownSite("https://www.linkedin.com/"), "linkedin.com")
  assert.strictEqual(SharedHost.ownSite("https://www.acme.example/about"), "acme.example")
})
