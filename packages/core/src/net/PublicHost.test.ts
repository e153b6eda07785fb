import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Dns } from "effect/net"
import * as PublicHost from "./PublicHost.ts"

const hosts = {
  "public.example": ["8.8.8.8", "2606:4700::1111"],
  "inside.example": ["10.0.0.1"],
  "both.example": ["8.8.8.8", "::1"]
}
const dns = Result.getOrThrow(Dns.makeStatic({ hosts }))

const resolved = (url: string, address?: (address: string) => boolean) =>
  PublicHost.resolve(dns, new URL(url), address === undefined ? {} : { address }).pipe(
    Effect.match({
      onFailure: ({ reason }): unknown => reason,
      onSuccess: (found) => found.map(({ address }) => address)
    })
  )

describe("PublicHost", () => {
  it.effect("gives every address of a name, and a name with one that is not public has none", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* resolved("https://public.example/"), ["8.8.8.8", "2606:4700::1111"])
      assert.strictEqual(yield* resolved("https://inside.example/"), "not_public")
      assert.strictEqual(yield* resolved("https://both.example/"), "not_public")
      assert.strictEqual(yield* resolved("https://nobody.example/"), "not_found")
    })
  )

  it.effect("lets pass what is permitted, and looks no address up", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* resolved("https://inside.example/", (address) => address === "10.0.0.1"), [
        "10.0.0.1"
      ])
      assert.deepStrictEqual(yield* resolved("https://[2606:4700::1111]/"), ["2606:4700::1111"])
      assert.deepStrictEqual(yield* PublicHost.resolve(dns, new URL("https://8.8.8.8/")), [
        { address: "8.8.8.8", family: 4 }
      ])
    })
  )
})
