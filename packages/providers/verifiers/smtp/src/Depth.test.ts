import { assert, describe, it } from "vitest"
import { Depth } from "./Depth.ts"

const host = "mx.acme.test"

describe("Depth", () => {
  it("asks for twice as many when all were answered, and for no more when fewer were asked", () => {
    const depth = new Depth()
    const first = depth.of(host)
    depth.answered(host, first - 1)
    assert.strictEqual(depth.of(host), first)
    depth.answered(host, first)
    assert.strictEqual(depth.of(host), first * 2)
    for (let n = 0; n < 20; n++) depth.answered(host, depth.of(host))
    assert.strictEqual(depth.of(host), 64)
  })

  it("asks for half as many where a connection ended on the way, and for one at least", () => {
    const depth = new Depth()
    const first = depth.of(host)
    depth.broken(host)
    assert.strictEqual(depth.of(host), first / 2)
    for (let n = 0; n < 10; n++) depth.broken(host)
    assert.strictEqual(depth.of(host), 1)
  })

  it("asks a host one by one that takes it amiss, for twenty answers", () => {
    const depth = new Depth()
    depth.wary(host)
    for (let n = 0; n < 19; n++) depth.answered(host, 1)
    assert.strictEqual(depth.of(host), 1)
    depth.answered(host, 1)
    assert.strictEqual(depth.of(host), 2)
  })
})
