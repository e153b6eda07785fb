import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import * as Binding from "./Binding.ts"

const way = (text: string) => Binding.parse(text)?.path

describe("a reference", () => {
  it("is a name and a way into a value, as a whole text", () => {
    assert.deepStrictEqual(Binding.parse("$enrich.company.names[0]"), {
      text: "$enrich.company.names[0]",
      root: "enrich",
      path: ["company", "names", 0]
    })
    assert.deepStrictEqual(way("$input"), [])
    assert.deepStrictEqual(way("$a.b-c[12][3]"), ["b-c", 12, 3])
    for (const text of [
      "input.domain",
      "$",
      "$1",
      "$a.",
      "$a.b c",
      "$a[x]",
      "$a[-1]",
      "see $a",
      "$a and $b",
      "$a\n",
      "$Input"
    ])
      assert.isNull(Binding.parse(text), text)
  })

  it("is read where something is, and is nothing where nothing is", () => {
    const value = { list: [{ name: "one" }, { name: null }], by: { "a@b.example": { status: "safe" } }, text: "x" }
    const at = (text: string) => Binding.read(value, way(text) ?? assert.fail(text))
    assert.deepStrictEqual(at("$v"), value)
    assert.strictEqual(at("$v.list[0].name"), "one")
    assert.strictEqual(at("$v.by[0].status"), "safe")
    for (const text of [
      "$v.list[1].name",
      "$v.list[2]",
      "$v.list.name",
      "$v.text.length",
      "$v.by.constructor",
      "$v.__proto__"
    ])
      assert.isNull(at(text), text)
  })

  it("is replaced by its value, which is left out where there is none", () => {
    const values = { $a: "x", "$b.c": [1, "$a"], $d: null }
    const asked = {
      one: "$a",
      all: ["$a", "$d", "plain", null],
      none: "$d",
      kept: null,
      deep: { list: "$b.c" },
      dollar: "$$a"
    }
    assert.deepStrictEqual(Binding.filled(asked, values), {
      one: "x",
      all: ["x", "plain", null],
      kept: null,
      deep: { list: [1, "$a"] },
      dollar: "$a"
    })
  })

  const anything = Arbitrary.schema(Schema.Struct({ value: Schema.Json, text: Schema.String }))

  it.prop("never comes out of a value, whatever stands there", [anything], ([{ text, value }]) => {
    const values = { $a: { value, text: `$b${text}` }, $b: "secret" }
    assert.deepStrictEqual(Binding.filled({ x: "$a" }, values), { x: { value, text: `$b${text}` } })
  })

  it("counts as being there unless it is empty", () => {
    for (const empty of [null, undefined, false, 0, "", [], {}]) assert.isFalse(Binding.isThere(empty))
    for (const there of [true, 1, " ", [null], { a: null }]) assert.isTrue(Binding.isThere(there))
  })
})
