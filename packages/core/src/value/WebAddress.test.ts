import { assert, it } from "@effect/vitest"
import * as WebAddress from "./WebAddress.ts"

it("adds the scheme that is missing and leaves the rest as it is", () => {
  assert.strictEqual(WebAddress.parse("acme.example"), "https://acme.example")
  assert.strictEqual(WebAddress.parse("//acme.example/x"), "https://acme.example/x")
  assert.strictEqual(WebAddress.parse("http://acme.example/"), "http://acme.example/")
  assert.strictEqual(WebAddress.parse("HTTP://Acme.example/Path?q=1"), "http://acme.example/Path?q=1")
})

it("refuses other schemes and other texts", () => {
  for (const text of ["", "ftp://acme.example", "javascript:alert(1)", "acme", "a b", "https://"]) {
    assert.isNull(WebAddress.parse(text), text)
  }
})

it("brings profile pages into one form", () => {
  const hosts = ["linkedin.com"]
  for (const text of [
    "linkedin.com/in/Mara",
    "http://www.linkedin.com/in/mara/",
    "https://no.linkedin.com/in/mara?trk=x#top"
  ]) {
    assert.strictEqual(WebAddress.profile(text, hosts), "https://www.linkedin.com/in/mara", text)
  }
  assert.strictEqual(WebAddress.profile("linkedin.com/company/1234", hosts), "https://www.linkedin.com/company/1234")
  assert.isNull(WebAddress.profile("https://linkedin.com.evil.example/in/mara", hosts))
  assert.isNull(WebAddress.profile("https://linkedin.com/", hosts))
})
