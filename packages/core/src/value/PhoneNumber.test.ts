import { assert, it } from "@effect/vitest"
import * as PhoneNumber from "./PhoneNumber.ts"

it("reads a number in the country of its source when it has no country code", () => {
  assert.strictEqual(PhoneNumber.e164("22 00 00 00", "NO"), "+4722000000")
  assert.strictEqual(PhoneNumber.e164("+47 (22) 00-00-00", null), "+4722000000")
  assert.isNull(PhoneNumber.e164("22 00 00 00", null))
  assert.isNull(PhoneNumber.e164("22 00 00 00", "XX"))
  assert.isNull(PhoneNumber.e164("call us", "NO"))
  assert.isNull(PhoneNumber.e164("+47 1", null))
})

it("reads links and the international prefix 00, with and without a country", () => {
  for (const text of [
    "tel:+4722000000",
    "tel:+47-22-00-00-00",
    "Tel.: +47 22 00 00 00",
    "0047 22 00 00 00",
    "00 47 22000000"
  ]) {
    for (const region of [null, "NO", "US"]) assert.strictEqual(PhoneNumber.e164(text, region), "+4722000000", text)
  }
  assert.strictEqual(PhoneNumber.e164("001 415 555 0100", null), "+14155550100")
  assert.strictEqual(PhoneNumber.e164("0011 47 22 00 00 00", "AU"), "+4722000000")
  assert.strictEqual(PhoneNumber.e164("tel:22000000", "NO"), "+4722000000")
  assert.isNull(PhoneNumber.e164("00", null))
})

it("takes two extensions of one number for two telephones", () => {
  for (const text of ["+1 415 555 0100 ext. 12", "+1 415 555 0100 x12", "tel:+1-415-555-0100;ext=12"]) {
    assert.strictEqual(PhoneNumber.e164(text, null), "+14155550100;ext=12", text)
  }
  assert.notStrictEqual(PhoneNumber.e164("+1 415 555 0100 ext. 34", null), "+14155550100;ext=12")
  assert.strictEqual(PhoneNumber.e164("+1 415 555 0100", null), "+14155550100")
})

it("does not look into texts longer than numbers are", () => {
  assert.isNull(PhoneNumber.e164(`+4722000000${" ".repeat(1_000_000)}1`, null))
})
