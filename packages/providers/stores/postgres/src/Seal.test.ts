import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Seal from "./Seal.ts"

const keyOf = (fill: string) => Redacted.make(Buffer.alloc(32, fill).toString("base64"))
const sealOf = (fill: string, ...former: ReadonlyArray<string>) =>
  Effect.provide(
    Effect.flatMap(Seal.Seal, Effect.succeed),
    Seal.layer({ current: keyOf(fill), former: former.map(keyOf) })
  )

describe("Seal", () => {
  it.effect("opens what it sealed, whatever it was", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* sealOf("a")
      for (const text of ["", "{}", "ü\u0000 '\"", "x".repeat(100_000)]) {
        assert.strictEqual(open(seal(text, "here"), "here"), text)
      }
    })
  )

  it.effect("shows nothing of it, and never seals twice alike", () =>
    Effect.gen(function* () {
      const { seal } = yield* sealOf("a")
      const sealed = Buffer.from(seal("mara@acme.example", "here"))
      assert.isFalse(sealed.includes("mara"))
      assert.isFalse(sealed.equals(Buffer.from(seal("mara@acme.example", "here"))))
    })
  )

  it.effect("opens what a former key sealed, at its place, and seals with the one in use", () =>
    Effect.gen(function* () {
      const before = yield* sealOf("a")
      const after = yield* sealOf("b", "c", "a")
      const sealed = before.seal("text", "here")
      assert.strictEqual(after.open(sealed, "here"), "text")
      assert.isNull(after.open(sealed, "there"))
      assert.isNull(before.open(after.seal("text", "here"), "here"))
      assert.strictEqual((yield* sealOf("b")).open(after.seal("text", "here"), "here"), "text")
    })
  )

  it.effect("opens nothing of another key or place, nothing that was changed, and no rubbish", () =>
    Effect.gen(function* () {
      const one = yield* sealOf("a")
      const two = yield* sealOf("b")
      const sealed = one.seal("text", "here")
      assert.isNull(two.open(sealed, "here"))
      assert.isNull(one.open(sealed, "there"))
      for (let at = 0; at < sealed.length; at++) {
        const changed = Uint8Array.from(sealed)
        changed[at] = (changed[at] ?? 0) ^ 1
        assert.isNull(one.open(changed, "here"), `byte ${at}`)
      }
      for (const size of [0, 1, 5, 32, 33]) assert.isNull(one.open(new Uint8Array(size), "here"))
    })
  )
})
