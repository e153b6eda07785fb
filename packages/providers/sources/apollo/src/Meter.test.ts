import { assert, it } from "@effect/vitest"
import { Headers } from "effect/http"
import { requestsLeft } from "./Meter.ts"

const left = (minute: string, hour: string, day: string) =>
  requestsLeft(
    Headers.fromInput({
      "x-minute-requests-left": minute,
      "x-hourly-requests-left": hour,
      "x-24-hour-requests-left": day
    })
  )

it("takes the least of the windows, and an empty one for one without a limit", () => {
  assert.strictEqual(left("199", "400", "6000"), 199)
  assert.strictEqual(left("199", "0", "5600"), 0)
  assert.strictEqual(left(" 999 ", "", ""), 999)
  assert.isNull(left("", "", ""))
  assert.isNull(left("many", "-1", "1.5"))
  assert.isNull(requestsLeft(Headers.fromInput({})))
})
