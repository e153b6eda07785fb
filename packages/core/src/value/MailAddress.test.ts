import { assert, it } from "@effect/vitest"
import * as MailAddress from "./MailAddress.ts"

it("tells an address from a placeholder", () => {
  assert.strictEqual(MailAddress.domain("Mara.Ellison+x@Acme.example"), "acme.example")
  for (const text of [
    "",
    "n/a",
    "mara@",
    "@acme.example",
    "mara@acme",
    "a b@acme.example",
    ".a@acme.example",
    "a@b@c/d"
  ]) {
    assert.isNull(MailAddress.domain(text), text)
  }
})

it("is suppressed under one name, however it is written", () => {
  assert.strictEqual(MailAddress.emailHandle(" Mara@ACME.example"), "email:mara@acme.example")
})
