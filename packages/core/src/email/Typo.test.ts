import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import * as EditDistance from "../value/EditDistance.ts"
import * as SharedHost from "../value/SharedHost.ts"
import * as EmailAddress from "./EmailAddress.ts"
import type { Evidence, MailDomain } from "./Evidence.ts"
import * as Typo from "./Typo.ts"
import * as Verdict from "./Verdict.ts"

const listed = { disposable: false, free: false, role: null, relay: false, spamtrap: false }
const evidence = (domain: MailDomain): Evidence => ({ listed, domain, conversation: null })
const address = (text: string) => Result.getOrThrow(EmailAddress.parse(text))

it("counts letters left out, put in, changed and swapped, up to two", () => {
  for (const [one, other, mistakes] of [
    ["gmail.com", "gmail.com", 0],
    ["gmial.com", "gmail.com", 1],
    ["gmai.com", "gmail.com", 1],
    ["gmaill.com", "gmail.com", 1],
    ["gnail.com", "gmail.com", 1],
    ["gmial.cmo", "gmail.com", 2],
    ["", "ab", 2],
    ["acme.example", "gmail.com", 3]
  ] as const) {
    assert.strictEqual(EditDistance.upToTwo(one, other), mistakes, `${one} ${other}`)
    assert.strictEqual(EditDistance.upToTwo(other, one), mistakes, `${other} ${one}`)
  }
})

it("finds the nearest of the known domains, not the first", () => {
  const typos: ReadonlyArray<readonly [string, string]> = [
    ["gmial.com", "gmail.com"],
    ["gamil.com", "gmail.com"],
    ["gmai.com", "gmail.com"],
    ["gmaill.com", "gmail.com"],
    ["gmail.con", "gmail.com"],
    ["gmail.co", "gmail.com"],
    ["gmali.cmo", "gmail.com"],
    ["gnail.com", "gmail.com"],
    ["hotmial.com", "hotmail.com"],
    ["hotmal.com", "hotmail.com"],
    ["htomail.com", "hotmail.com"],
    ["hotmail.cmo", "hotmail.com"],
    ["yaho.com", "yahoo.com"],
    ["yahooo.com", "yahoo.com"],
    ["yhaoo.com", "yahoo.com"],
    ["outlok.com", "outlook.com"],
    ["outloook.com", "outlook.com"],
    ["iclud.com", "icloud.com"],
    ["icloud.co", "icloud.com"],
    ["protonmial.com", "protonmail.com"],
    ["googlemial.com", "googlemail.com"],
    ["t-onlin.de", "t-online.de"],
    ["web.d", "web.de"],
    ["laposte.ent", "laposte.net"]
  ]
  for (const [typo, domain] of typos) assert.strictEqual(Typo.meant(typo), domain, typo)
  // One letter from the one, two from the other, which stands before it.
  assert.strictEqual(Typo.meant("hotmail.frr"), "hotmail.fr")
  assert.strictEqual(Typo.meant("yahoo.co.ukk"), "yahoo.co.uk")
})

it("says nothing of the known ones, and of names that are not near", () => {
  for (const domain of [...Typo.known, "acme.example", "x.com", "nordvik.example", "company.com"])
    assert.isNull(Typo.meant(domain), domain)
})

it("never says anything of a domain that takes mail, or that nobody could ask", () => {
  const typo = address("Mara.Ellison@gmial.com")
  const silent: ReadonlyArray<MailDomain> = [
    { _tag: "Hosts", implicit: false, provider: null },
    { _tag: "Hosts", implicit: true, provider: null },
    { _tag: "Unanswered" },
    { _tag: "Private" },
    { _tag: "Reserved" }
  ]
  for (const domain of silent) assert.isNull(Typo.of(typo, evidence(domain)), domain._tag)
  for (const _tag of ["NoDomain", "NoHost", "NullMx"] as const)
    assert.strictEqual(Typo.of(typo, evidence({ _tag })), "Mara.Ellison@gmail.com", _tag)
  assert.isNull(Typo.of(address("mara@acme.example"), evidence({ _tag: "NoDomain" })))
  // An answer says enough to know it too.
  for (const domain of [...silent, ...(["NoDomain", "NoHost", "NullMx"] as const).map((_tag) => ({ _tag }))])
    assert.strictEqual(Typo.ofResult(Verdict.of(typo, evidence(domain))), Typo.of(typo, evidence(domain)), domain._tag)
})

it("knows consumers' domains only", () => {
  assert.lengthOf(new Set(Typo.known), Typo.known.length)
  assert.isAtLeast(Typo.known.length, 60)
  const corporate = Typo.known.filter((domain) => !SharedHost.mail(domain))
  for (const domain of corporate)
    assert.include("sfr.fr rambler.ru terra.com.br ukr.net bigpond.com shaw.ca bellsouth.net", domain)
})
