/**
 * Requests that are broken in every way that the interface's own document lets one think of, against every endpoint: no
 * defect, no answer that never comes, no trace of the code, and the one shape of an error. Another seed asks other
 * questions: `LADING_TEST_SEED=7`; `LADING_TEST_REQUESTS` of them for each endpoint.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { LadingApi } from "../api/LadingApi.ts"
import { ErrorBody } from "../api/ErrorBody.ts"
import * as Broken from "../fixtures/Broken.ts"
import * as Customs from "../fixtures/Customs.ts"
import * as Loads from "../fixtures/Loads.ts"
import * as Mail from "../fixtures/Mail.ts"
import * as TestServer from "../fixtures/TestServer.ts"

const seed = Number(process.env["LADING_TEST_SEED"] ?? 1)
const count = Number(process.env["LADING_TEST_REQUESTS"] ?? 80)

const document = OpenApi.fromApi(LadingApi)

/** What says something of the code, or of the machine. */
const trace =
  /node_modules|\.(?:ts|js|mjs):\d|\bat [\w.<>]+ \(|\/(?:home|root|tmp|usr)\/|stack|\bundefined\b|\[object |SELECT |ECONN|Cause\(|~effect/

const decodeError = Schema.decodeUnknownOption(ErrorBody, { onExcessProperty: "error" })

const isError = (body: unknown): body is ErrorBody => Option.isSome(decodeError(body))

/** What is wrong with an answer; `null` where nothing is. */
const complaint = (sent: TestServer.Sent, { method }: Broken.Broken, operation: Broken.Operation): string | null => {
  const text = JSON.stringify(sent.body)
  if (sent.status === 500) return "a defect"
  if (!Broken.statuses(operation).includes(sent.status)) return "a status that the document does not have"
  if (sent.headers.get("x-request-id") === null) return "no request id"
  if (sent.status < 400) return null
  if (!isError(sent.body)) return "another shape"
  if (sent.body.request_id !== sent.headers.get("x-request-id")) return "another request id"
  if (trace.test(text)) return "a trace of the code"
  if (sent.status === 400 && method === "POST" && sent.body.error.details.length === 0) return "no details"
  return text.length > 100_000 ? "a very long answer" : null
}

const all = Broken.operations(document).filter(({ path }) => path.startsWith("/api/"))

describe("broken requests", () => {
  it("are answered wrongly in many ways that are seen", () => {
    const [operation] = all
    const request = { what: "", method: "POST", path: "", headers: {}, body: null }
    const fine: ErrorBody = {
      success: false,
      request_id: "req_1",
      data: null,
      meta: { billing: { credits_charged: 0, byok_used: false } },
      error: { code: "invalid_request", message: "wrong", retryable: false, details: [{ path: "", message: "wrong" }] }
    }
    const said = (status: number, body: unknown, headers: Record<string, string> = { "x-request-id": "req_1" }) =>
      operation === undefined ? null : complaint({ status, headers: new Headers(headers), body }, request, operation)
    const of = (error: Partial<ErrorBody["error"]>) => said(400, { ...fine, error: { ...fine.error, ...error } })
    assert.isNull(said(400, fine))
    assert.strictEqual(said(500, fine), "a defect")
    assert.strictEqual(said(418, fine), "a status that the document does not have")
    assert.strictEqual(said(400, fine, {}), "no request id")
    assert.strictEqual(said(400, { ...fine, more: 1 }), "another shape")
    assert.strictEqual(said(400, fine, { "x-request-id": "req_2" }), "another request id")
    assert.strictEqual(of({ details: [] }), "no details")
    for (const message of ["at run (file:///a.js:1:2)", "at Object.run (a)", "SELECT 1", "got undefined"])
      assert.strictEqual(of({ message }), "a trace of the code")
  })

  it("are made for every endpoint of the interface", () => {
    assert.isAtLeast(all.length, 40)
    assert.includeMembers(
      all.map(({ method, path }) => `${method} ${path}`),
      ["POST /api/company/enrich", "POST /api/email/verify", "PUT /api/admin/trade/loads/{load}/parts/{part}"]
    )
  })

  it.live.each(all.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    "to %s are answered in the one shape of an error",
    ([, operation]) =>
      Effect.gen(function* () {
        const server = yield* TestServer.make({
          trade: Customs.layer,
          intake: Loads.make().layer,
          verifier: Mail.layerUnasked
        })
        const requests = Broken.requests(document, operation, seed)
        for (let number = 0; number < count; number++) {
          const request: Broken.Broken = requests.next().value
          const { body, headers, method, path } = request
          const sent = yield* Effect.promise((signal) =>
            server.send(path, { method, headers, signal, ...(body === null ? {} : { body }) })
          )
          const wrong = complaint(sent, request, operation)
          if (wrong !== null) {
            const shown = typeof body === "string" ? body.slice(0, 2000) : String(body)
            assert.fail(
              `${wrong}: ${sent.status} ${JSON.stringify(sent.body).slice(0, 2000)}\n${request.what}, ${number} of seed ${seed}\n${method} ${path} ${JSON.stringify(headers)}\n${shown}`
            )
          }
        }
        const { available, held } = yield* server.balance
        assert.isAtLeast(Number(available), 0)
        assert.strictEqual(Number(held), 0)
        assert.notInclude(server.logs.join("\n"), '"level":"ERROR"')
      }),
    240_000
  )
})
