import { assert, describe, it } from "@effect/vitest"
import { disposableEmailBlocklist } from "disposable-email-domains-js"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { expect } from "vitest"
import * as EmailAddress from "./EmailAddress.ts"
import * as Packages from "../fixtures/email/Packages.ts"
import * as Lists from "./Lists.ts"
import free from "./lists/free.json" with { type: "json" }
import * as Own from "./lists/Own.ts"
import roles from "./lists/roles.json" with { type: "json" }

const lists = Lists.make()
const of = (text: string, some = lists) => some.of(Result.getOrThrow(EmailAddress.parse(text)))
const at = (domain: string, some = lists) => of(`mara@${domain}`, some)

const providers = (
  "gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.co.jp yahoo.fr hotmail.com hotmail.fr outlook.com outlook.de " +
  "live.com msn.com icloud.com me.com mac.com aol.com gmx.de gmx.net gmx.com web.de freenet.de t-online.de posteo.de " +
  "proton.me protonmail.com pm.me fastmail.com fastmail.fm hey.com mailbox.org tutanota.com tuta.com zoho.com " +
  "orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tin.it alice.it mail.ru inbox.ru list.ru bk.ru " +
  "yandex.ru yandex.com rambler.ru ukr.net qq.com 163.com 126.com foxmail.com sina.com sohu.com 139.com naver.com " +
  "daum.net hanmail.net nate.com seznam.cz centrum.cz wp.pl o2.pl onet.pl interia.pl abv.bg inbox.lv comcast.net " +
  "verizon.net att.net sbcglobal.net cox.net btinternet.com sky.com talktalk.net rediffmail.com uol.com.br bol.com.br " +
  "terra.com.br ig.com.br shaw.ca rogers.com bigpond.com optusnet.com.au runbox.com hushmail.com"
).split(" ")

const companies = (
  "google.com microsoft.com apple.com amazon.com ibm.com sap.com siemens.com bosch.com samsung.com sony.com toyota.com " +
  "shell.com nestle.com unilever.com basf.com bayer.com intel.com cisco.com huawei.com tencent.com alibaba.com maersk.com " +
  "dhl.com fedex.com walmart.com ikea.com nike.com disney.com netflix.com bbc.co.uk cnn.com harvard.edu mit.edu ox.ac.uk " +
  "github.com stripe.com paypal.com orange.com vodafone.com telekom.de made-in-china.com who.int europa.eu"
).split(" ")

const thrownAway = (
  "mailinator.com guerrillamail.com 10minutemail.com yopmail.com temp-mail.org tempmail.com trashmail.com sharklasers.com " +
  "maildrop.cc getnada.com mohmal.com throwawaymail.com dispostable.com mailnesia.com fakeinbox.com mintemail.com " +
  "spam4.me mytemp.email discard.email tempr.email emailondeck.com moakt.com mailcatch.com grr.la"
).split(" ")

describe("lists", () => {
  it("are of the versions that they are told to be of", () => {
    const manifest = (name: string): string => {
      const main = createRequire(import.meta.url).resolve(`${name}/package.json`)
      const { version }: { version: string } = JSON.parse(readFileSync(main, "utf8"))
      return `${name} ${version}`
    }
    for (const told of Object.values(Lists.versions)) assert.strictEqual(manifest(told.split(" ")[0] ?? ""), told)
  })

  it("are as long as docs/email.md says", () => {
    assert.deepStrictEqual(
      [disposableEmailBlocklist().length, free.length, Own.free.size, Own.relays.size, roles.length],
      [8883, 4601, 30, 24, 930]
    )
  })

  it("are what the packages give", async () => {
    const json = (names: ReadonlyArray<string>) => `${JSON.stringify(names, null, 2)}\n`
    await expect(json(Packages.free())).toMatchFileSnapshot("./lists/free.json")
    await expect(json(Packages.roles())).toMatchFileSnapshot("./lists/roles.json")
  })
})

describe("a domain", () => {
  it("of a provider is free and never disposable", () => {
    assert.deepStrictEqual(
      providers.filter((domain) => !at(domain).free),
      []
    )
    assert.deepStrictEqual(
      [...providers, ...Own.free, ...free].filter((domain) => at(domain).disposable),
      []
    )
  })

  it("of a company is neither free nor disposable", () => {
    assert.deepStrictEqual(
      companies.filter((domain) => at(domain).free || at(domain).disposable),
      []
    )
  })

  it("of a relay is a relay, not disposable", () => {
    for (const domain of Own.relays) {
      const { disposable, relay } = at(domain)
      assert.deepStrictEqual({ disposable, relay }, { disposable: false, relay: true }, domain)
    }
  })

  it("that is thrown away is known in 23 of 24 well-known cases, and with whatever is before it", () => {
    const missed = thrownAway.filter((domain) => !at(domain).disposable)
    assert.deepStrictEqual(missed, ["tempmail.com"])
    assert.isTrue(at("mx.eu.mailinator.com").disposable)
    // The beginning of a name is not the name.
    assert.isFalse(at("mailinator.com.acme.example").disposable)
  })

  it("is what the operator says, whatever the packages say", () => {
    const own = Lists.make({
      disposable: ["acme.example", "gmail.com"],
      allowed: ["mailinator.com"],
      spamtraps: ["Trap@nordvik.example", "traps.example"]
    })
    assert.isTrue(at("mail.acme.example", own).disposable)
    assert.isTrue(at("gmail.com", own).disposable)
    assert.isFalse(at("mailinator.com", own).disposable)
    assert.isTrue(of("trap@nordvik.example", own).spamtrap)
    assert.isFalse(of("mara@nordvik.example", own).spamtrap)
    assert.isTrue(of("mara@mx.traps.example", own).spamtrap)
    assert.isFalse(at("acme.example").disposable)
    assert.isFalse(of("trap@nordvik.example").spamtrap)
  })

  it("in brackets is on no list", () => {
    const { disposable, free, relay } = at("[192.0.2.1]")
    assert.deepStrictEqual([disposable, free, relay], [false, false, false])
  })
})

describe("a local part", () => {
  const role = (local: string) => of(`${local}@acme.example`).role

  it("is a role with a tag, digits behind it, in any case", () => {
    for (const local of ["info", "Sales", "sales2", "sales+fair", "support", "contact", "hr", "accounting"])
      assert.strictEqual(role(local), "general", local)
  })

  it("is never to be sent to where nobody reads", () => {
    for (const local of [
      "postmaster",
      "abuse",
      "noreply",
      "no-reply",
      "no_reply2",
      "do-not-reply",
      "donotreply",
      "jobs-noreply",
      "mailer-daemon",
      "bounce",
      "bounces+1234=acme"
    ])
      assert.strictEqual(role(local), "never", local)
  })

  it("of a person is none", () => {
    for (const local of [
      ..."mara james maria wei olga ahmed alexa alla paris berlin london dean will mark grace rose".split(" "),
      ..."mara.ellison m.ellison salesman infodoc abuser bouncer replyanna 2024 123 us ca".split(" ")
    ])
      assert.isNull(role(local), local)
  })
})
