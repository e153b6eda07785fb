import { assert, describe, it } from "@effect/vitest"
import * as Redelivery from "./Redelivery.ts"
import * as WebhookMessage from "./WebhookMessage.ts"

const tried: Redelivery.Tried = { before: 0, now: 1000, expires_at: 90_000_000, retryAfter: null, chance: 0 }
const status = { problem: "status" } as const

describe("Redelivery", () => {
  it("has pauses that grow and end within the time for which an event is tried", () => {
    assert.deepStrictEqual(
      [...Redelivery.pauses].sort((a, b) => a - b),
      [...Redelivery.pauses]
    )
    const span = Redelivery.pauses.reduce((sum, pause) => sum + pause, 0)
    assert.isBelow(span, WebhookMessage.patience)
    assert.isAbove(span, 0.95 * WebhookMessage.patience)
  })

  it("shortens each by up to a fifth, and has a last attempt at the end, however short they were", () => {
    for (const [before, pause] of Redelivery.pauses.entries()) {
      assert.strictEqual(Redelivery.nextAt(status, { ...tried, before }), 1000 + pause)
      const early = Redelivery.nextAt(status, { ...tried, before, chance: 0.999 }) ?? 0
      assert.isAtLeast(early, 1000 + 0.8 * pause)
      assert.isBelow(early, 1000 + 0.81 * pause)
    }
    for (const chance of [0, 0.999]) {
      let now = 1000
      let before = 0
      for (let next: number | null = now; next !== null; before++) {
        now = next
        next = Redelivery.nextAt(status, { ...tried, before, now, chance })
      }
      assert.deepStrictEqual([now, before], [tried.expires_at, Redelivery.pauses.length + 2])
    }
  })

  it("is over where it was delivered, where nobody is there any more, and at the end of the time", () => {
    for (const problem of [null, "gone"] as const) {
      assert.isNull(Redelivery.nextAt({ problem }, tried), String(problem))
    }
    assert.isNull(Redelivery.nextAt(status, { ...tried, now: tried.expires_at }))
  })

  it("keeps to a later time that the receiver names, and to the end of its own", () => {
    assert.strictEqual(Redelivery.nextAt(status, { ...tried, retryAfter: 60_000 }), 61_000)
    assert.strictEqual(Redelivery.nextAt(status, { ...tried, retryAfter: 1 }), 1000 + 5000)
    assert.strictEqual(Redelivery.nextAt(status, { ...tried, retryAfter: Infinity }), tried.expires_at)
  })
})
