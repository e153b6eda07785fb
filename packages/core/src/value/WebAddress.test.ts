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

it("tells a port from a scheme", () => {
  assert.strictEqual(WebAddress.parse("acme.example:8080/p"), "https://acme.example:8080/p")
  assert.strictEqual(WebAddress.parse("acme.example:8080"), "https://acme.example:8080")
  assert.strictEqual(WebAddress.profile("linkedin.com:443/in/x", ["linkedin.com"]), "https://www.linkedin.com/in/x")
  for (const text of ["mailto:4711", "acme.example:80x/p", "javascript:1/2"])
    assert.isNull(WebAddress.parse(text), text)
})

it("never shows a user or a password", () => {
  assert.strictEqual(WebAddress.parse("https://user:pw@acme.example/"), "https://acme.example/")
  assert.strictEqual(WebAddress.parse("user@acme.example/p"), "https://acme.example/p")
})

it("keeps what names the page on networks that do not put it in the path", () => {
  const facebook = ["facebook.com", "fb.com"]
  const page = "https://www.facebook.com/100012"
  assert.strictEqual(WebAddress.profile("facebook.com/profile.php?ref=x&id=100012", facebook), page)
  assert.strictEqual(WebAddress.profile("fb.com/100012/", facebook), page)
  assert.strictEqual(WebAddress.key("https://m.acme.example/Profile.php?id=100012&x=1"), "m.acme.example/100012")
  for (const text of ["twitter.com/#!/Acme", "https://twitter.com/#!/acme/?x=1"]) {
    assert.strictEqual(WebAddress.profile(text, ["twitter.com"]), "https://www.twitter.com/acme", text)
  }
  assert.isNull(WebAddress.profile("https://twitter.com/#top", ["twitter.com"]))
})

it("takes no longer than the address is", () => {
  const started = performance.now()
  const hostile = `acme.example${"/".repeat(100_000)}x${"\n?".repeat(100_000)}`
  WebAddress.key(hostile)
  WebAddress.profile(hostile.replaceAll("\n", ""), ["acme.example"])
  WebAddress.key(`acme.example/profile.php?${"&id=x".repeat(100_000)}`)
  assert.isBelow(performance.now() - started, 1_000)
})
