import { assert, describe, it } from "@effect/vitest"
import { Numbers } from "./Numbers.ts"

describe("numbers of mailboxes", () => {
  it("count from 0 in the order in which they first come, however many they are", () => {
    const numbers = new Numbers()
    const keys = Array.from({ length: 20_000 }, (_, n) => `email:mailbox-${n}@acme.example`)
    assert.deepStrictEqual(
      keys.map((key) => numbers.of(key)),
      keys.map((_, number) => ({ number, isNew: true }))
    )
    assert.deepStrictEqual(
      keys.map((key) => numbers.of(key)),
      keys.map((_, number) => ({ number, isNew: false }))
    )
    assert.strictEqual(numbers.size, 20_000)
  })
})
