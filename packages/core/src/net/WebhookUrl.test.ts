import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import * as WebhookUrl from "./WebhookUrl.ts"

const strict = { insecure: false }
const insecure = { insecure: true }
const isUrl = Schema.is(WebhookUrl.WebhookUrl)

describe("WebhookUrl", () => {
  it("takes https to a name or a public address", () => {
    for (const url of [
      "https://receiver.example/hook?token=1",
      "https://receiver.example:443",
      "https://8.8.8.8/",
      "https://[2606:4700::1111]/",
      "https://müller.example/"
    ]) {
      assert.isTrue(isUrl(url), url)
      assert.isNull(WebhookUrl.problem(url, strict), url)
    }
  })

  it("refuses, under every policy, what is no address, has a user, a fragment or too many characters", () => {
    for (const url of [
      "",
      "receiver.example",
      "/hook",
      "ftp://receiver.example/",
      "javascript:alert(1)",
      "https://",
      "https://user@receiver.example/",
      "https://:password@receiver.example/",
      "https://receiver.example/#",
      "https://receiver.example/#part",
      " https://receiver.example/",
      `https://receiver.example/${"x".repeat(WebhookUrl.longest)}`
    ]) {
      assert.isFalse(isUrl(url), url)
      assert.isNotNull(WebhookUrl.problem(url, insecure), url)
    }
  })

  it("refuses http, other ports and hosts inside, unless an operator permits them", () => {
    for (const url of [
      "http://receiver.example/",
      "https://receiver.example:8443/",
      "https://receiver.example:80/",
      "https://localhost/",
      "https://intranet/",
      "https://127.0.0.1/",
      "https://2130706433/",
      "https://0x7f.1/",
      "https://10.0.0.1/",
      "https://169.254.169.254/latest/meta-data/",
      "https://[::1]/",
      "https://[::ffff:7f00:1]/"
    ]) {
      assert.isTrue(isUrl(url), url)
      assert.isNotNull(WebhookUrl.problem(url, strict), url)
      assert.isNull(WebhookUrl.problem(url, insecure), url)
    }
  })

  it.effect("is refused as a wrong field that is named, without its value, by the policy that is there", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* WebhookUrl.admit(undefined))
      const url = "http://127.0.0.1:8080/marker"
      const refused = yield* Effect.result(WebhookUrl.admit(url))
      assert.deepStrictEqual(Result.isFailure(refused) ? refused.failure.details : [], [
        { path: "webhook_url", message: "Expected an https address" }
      ])
      yield* Effect.provideService(WebhookUrl.admit(url), WebhookUrl.Policy, insecure)
    })
  )
})
