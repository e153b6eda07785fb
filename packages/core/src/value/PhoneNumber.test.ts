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
