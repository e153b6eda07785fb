import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { distinct, given, group, known, text, texts, titled } from "./Given.ts"

const Field = Schema.Struct({ field: given(Schema.String) })
const decode = Schema.decodeUnknownSync(Field)

it("takes a value, null, nothing and a boolean, and no other type", () => {
  for (const answer of [{ field: "oslo" }, { field: null }, {}, { field: true }, { field: false }]) decode(answer)
  assert.throws(() => decode({ field: 3 }))
  assert.throws(() => decode({ field: {} }))
})

it("a boolean in place of a value is no value", () => {
  assert.strictEqual(known<number>(true), null)
  assert.strictEqual(known<number>(false), null)
  assert.strictEqual(known(0), 0)
  assert.strictEqual(text(true), null)
  assert.deepStrictEqual(texts(true), [])
})

it("blank text is no value", () => {
  assert.strictEqual(text("  "), null)
  assert.strictEqual(text(" oslo "), "oslo")
  assert.deepStrictEqual(texts(["", "a", " "]), ["a"])
})

it("lower-case names get capitals, other spellings stay", () => {
  assert.strictEqual(titled("mara ellison"), "Mara Ellison")
  assert.strictEqual(titled("tomas o'brien-rossi"), "Tomas O'Brien-Rossi")
  assert.strictEqual(titled("saint-étienne"), "Saint-Étienne")
  assert.strictEqual(titled("nordvik's arms"), "Nordvik's Arms")
  assert.strictEqual(titled("élodie ångström"), "Élodie Ångström")
  assert.strictEqual(titled("booking.example"), "Booking.example")
  assert.strictEqual(titled("van der Berg"), "van der Berg")
  assert.strictEqual(titled("IBM iX"), "IBM iX")
  assert.strictEqual(titled(false), null)
})

it("repeats are dropped, the first spelling and the order stay", () => {
  assert.deepStrictEqual(
    distinct(["B", "a", "b", "A"], (value) => value.toLowerCase()),
    ["B", "a"]
  )
})

it("a group of which nothing is known is null", () => {
  assert.strictEqual(group({ city: null, country: null }), null)
  assert.deepStrictEqual(group({ city: null, country: "Norway" }), { city: null, country: "Norway" })
})
