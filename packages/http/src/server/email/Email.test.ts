/** `POST /api/email/verify` over real HTTP, with the own verifier over real mail hosts on loopback. */
import { assert, describe, it } from "@effect/vitest"
import { start as startReoon } from "@lading/reoon/simulator"
import { MailPopulation } from "@lading/testing/mail"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Client from "../../client/index.ts"
import * as Mail from "../../fixtures/Mail.ts"
import * as Receivers from "../../fixtures/Receivers.ts"
import * as TestServer from "../../fixtures/TestServer.ts"
import * as Configuration from "../Configuration.ts"
import * as Verifiers from "../Verifiers.ts"

const path = "/api/email/verify"

const domains = {
  "acme.test": { mailboxes: { mara: "exists", sales: "exists", full: "full", gone: "disabled" } },
  "all.test": { persona: "accept_all" },
  "shut.test": { persona: "refused" }
} as const

const start = Effect.fnUntraced(function* (options: TestServer.Options = {}) {
  const { layer, world } = yield* Mail.start({ domains })
  const server = yield* TestServer.make({ verifier: layer, ...options })
  const verify = (body: unknown, asking: TestServer.Asking = {}, query = "") =>
    Effect.promise(() => server.send(`${path}${query}`, { body, ...asking }))
  /** What a task has come to when it has ended. */
  const ended = (task_id: string, asking: TestServer.Asking = {}) =>
    Effect.gen(function* () {
      for (;;) {
        const sent = yield* verify({ type: "bulk_result", task_id }, asking)
        assert.strictEqual(sent.status, 201, JSON.stringify(sent.body))
        if (sent.body.status !== "queued" && sent.body.status !== "running") return sent.body
        yield* Effect.sleep(20)
      }
    })
  return { server, verify, ended, world }
})

const upload = (type: string): TestServer.Asking => ({ headers: { "content-type": type } })

const spent = (server: TestServer.TestServer) =>
  Effect.map(server.balance, ({ available }) => 1000 - Number(available) / 1_000_000)

describe("a single address", () => {
  it.live("is answered in the shape of the interface, and charged where the result is definite", () =>
    Effect.gen(function* () {
      const { server, verify } = yield* start()
      const sent = yield* verify({ type: "single", email: "mara@acme.test" })
      assert.strictEqual(sent.status, 201)
      assert.deepStrictEqual(sent.body, {
        success: true,
        request_id: sent.headers.get("x-request-id"),
        type: "single",
        task_id: "",
        verifier_task_id: "",
        status: "completed",
        progress: { total: 1, checked: 1, percentage: 100 },
        results: {
          "mara@acme.test": {
            email: "mara@acme.test",
            domain: "acme.test",
            username: "mara",
            status: "safe",
            overall_score: "98",
            mx_records: true,
            is_disabled: false,
            is_spamtrap: false,
            is_catch_all: false,
            has_inbox_full: false,
            is_disposable: false,
            is_free_email: false,
            is_deliverable: true,
            is_role_account: false,
            is_safe_to_send: true,
            is_valid_syntax: true,
            mx_accepts_mail: true,
            can_connect_smtp: true
          }
        },
        meta: { billing: { credits_charged: 0.05 } },
        error: null
      })
      const said: Record<string, unknown> = {}
      const emails = ["nobody@acme.test", "full@acme.test", "gone@acme.test", "sales@acme.test", "any@all.test"]
      for (const email of [...emails, "a@shut.test", "no address", "a@nowhere.test", "a@acme.invalid"]) {
        const { body } = yield* verify({ type: "single", email })
        said[email] = [body.results[email]?.status, body.meta.billing.credits_charged]
      }
      assert.deepStrictEqual(said, {
        "nobody@acme.test": ["invalid", 0.05],
        "full@acme.test": ["inbox_full", 0.05],
        "gone@acme.test": ["disabled", 0.05],
        "sales@acme.test": ["role_account", 0.05],
        "any@all.test": ["catch_all", 0.05],
        "a@shut.test": ["unknown", 0],
        "no address": ["invalid", 0.05],
        "a@nowhere.test": ["invalid", 0.05],
        "a@acme.invalid": ["invalid", 0.05]
      })
      assert.closeTo(yield* spent(server), 0.45, 1e-9)
    })
  )

  it.live("is refused where nobody verifies, without a charge and without a retry that helps", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const body of [
        { type: "single", email: "a@acme.test" },
        { type: "bulk", emails: ["a@acme.test"] }
      ]) {
        const sent = yield* Effect.promise(() => server.send(path, { body }))
        assert.strictEqual(sent.status, 503)
        assert.deepStrictEqual([sent.body.error.code, sent.body.error.retryable], ["unavailable", false])
        assert.include(sent.body.error.message, "no verifier of mail addresses")
      }
      assert.strictEqual(yield* spent(server), 0)
    })
  )
})

describe("a list", () => {
  it.live("goes on after its request, is charged for what is definite, and is paged", () =>
    Effect.gen(function* () {
      const { server, verify, ended } = yield* start()
      const emails = ["mara@acme.test", "nobody@acme.test", "a@shut.test", "MARA@acme.test", " full@acme.test "]
      const begun = yield* verify({ type: "bulk", emails })
      assert.strictEqual(begun.status, 201)
      const { results, status, task_id, type } = begun.body
      assert.deepStrictEqual([type, status, results], ["bulk", "queued", {}])
      assert.match(task_id, /^ver_/)
      assert.deepStrictEqual(begun.body.progress, { total: 4, checked: 0, percentage: 0 })
      const body = yield* ended(task_id)
      const statuses = Object.entries<{ readonly status: string }>(body.results).map(([email, { status }]) => [
        email,
        status
      ])
      assert.deepStrictEqual(Object.fromEntries(statuses), {
        "mara@acme.test": "safe",
        "nobody@acme.test": "invalid",
        "a@shut.test": "unknown",
        "full@acme.test": "inbox_full"
      })
      assert.deepStrictEqual([body.type, body.status, body.progress.percentage], ["bulk_result", "completed", 100])
      assert.strictEqual(body.meta.billing.credits_charged, 0.15)
      assert.closeTo(yield* spent(server), 0.15, 1e-9)
      const pages = yield* Effect.forEach([1, 2, 3], (page) => verify({ type: "bulk_result", task_id, page, limit: 3 }))
      assert.deepStrictEqual(
        pages.map(({ body }) => Object.keys(body.results)),
        [Object.keys(body.results).slice(0, 3), Object.keys(body.results).slice(3), []]
      )
    })
  )

  it.live("is nobody else's, cannot be cancelled when it has ended, and costs nothing to look at", () =>
    Effect.gen(function* () {
      const { server, verify, ended } = yield* start()
      const stranger = { key: yield* server.addAccount("stranger", "lad_live_stranger-key") }
      const { body } = yield* verify({ type: "bulk", emails: ["mara@acme.test"] })
      const { task_id } = body
      for (const type of ["bulk_result", "cancel"]) {
        for (const [asked, asking] of [
          [task_id, stranger],
          ["ver_nothing", {}]
        ] as const) {
          const sent = yield* verify({ type, task_id: asked }, asking)
          assert.deepStrictEqual([sent.status, sent.body.error?.code], [404, "not_found"])
        }
      }
      yield* ended(task_id)
      const sent = yield* verify({ type: "cancel", task_id })
      assert.deepStrictEqual([sent.status, sent.body.error.code], [409, "conflict"])
      assert.closeTo(yield* spent(server), 0.05, 1e-9)
    })
  )

  it.live("is looked at again under a key as it is by then, and nothing of it is kept for that", () =>
    Effect.gen(function* () {
      const { server, verify, ended } = yield* start()
      const { task_id } = (yield* verify({ type: "bulk", emails: ["mara@acme.test", "nobody@acme.test"] })).body
      yield* ended(task_id)
      const key = { headers: { "idempotency-key": "look" } }
      const first = yield* verify({ type: "bulk_result", task_id }, key)
      assert.deepStrictEqual(Object.keys(first.body.results).toSorted(), ["mara@acme.test", "nobody@acme.test"])
      yield* Effect.promise(() =>
        server.send("/api/admin/subjects", { method: "DELETE", body: { subject: "mara@acme.test" } })
      )
      const again = yield* verify({ type: "bulk_result", task_id }, key)
      assert.strictEqual(again.status, 201, JSON.stringify(again.body))
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(again.body.request_id, first.body.request_id)
      assert.deepStrictEqual(Object.keys(again.body.results), ["nobody@acme.test"])
      assert.strictEqual((yield* verify({ type: "bulk_result", task_id, limit: 1 }, key)).status, 409)
      const unknown = { headers: { "idempotency-key": "unknown" } }
      for (const _ of [1, 2])
        assert.strictEqual((yield* verify({ type: "bulk_result", task_id: "ver_0" }, unknown)).status, 404)
    })
  )

  it.live("is cancelled: what was verified stays and is charged, the rest is asked of nobody", () =>
    Effect.gen(function* () {
      // A greylist: nothing is decided for five minutes.
      const { layer } = yield* Mail.start({ domains: { ...domains, "grey.test": { persona: "greylist" } } })
      const { server, verify, ended } = yield* start({ verifier: layer })
      const { body } = yield* verify({ type: "bulk", emails: ["mara@acme.test", "a@grey.test", "b@grey.test"] })
      const { task_id } = body
      for (;;) {
        const { body } = yield* verify({ type: "bulk_result", task_id })
        if (body.progress.checked === 1) break
        yield* Effect.sleep(20)
      }
      const sent = yield* verify({ type: "cancel", task_id })
      assert.deepStrictEqual([sent.status, sent.body.type, sent.body.status], [201, "cancel", "cancelled"])
      assert.strictEqual(sent.body.meta.billing.credits_charged, 0.05)
      const after = yield* ended(task_id)
      assert.deepStrictEqual([after.status, after.results["mara@acme.test"].status], ["cancelled", "safe"])
      yield* Receivers.until(
        "the charge",
        Effect.map(spent(server), (credits) => Math.abs(credits - 0.05) < 1e-9)
      )
    })
  )

  it.live("tells its end to webhook_url", () =>
    Effect.gen(function* () {
      const receiver = yield* Receivers.start()
      const { verify } = yield* start({ sends: true })
      const emails = ["mara@acme.test", "nobody@acme.test"]
      const { body } = yield* verify({ type: "bulk", emails, webhook_url: `${receiver.url}/done` })
      yield* Receivers.until(
        "the webhook",
        Effect.sync(() => receiver.received.length > 0)
      )
      const [received] = receiver.received
      const told = JSON.parse(received?.body ?? "")
      assert.strictEqual(received?.path, "/done")
      assert.strictEqual(told.data.task_id, body.task_id)
      assert.deepStrictEqual([told.type, told.data.status], ["email.verified", "completed"])
      assert.notInclude(received?.body ?? "", "acme.test")
    })
  )

  it.live(
    "of a population has the verdicts that it deserves",
    () =>
      Effect.gen(function* () {
        const { addresses, expected, world } = MailPopulation.make({ addresses: 300, domains: 30, hosts: 8 })
        const { layer } = yield* Mail.start(world)
        const { verify, ended } = yield* start({ verifier: layer })
        const { body } = yield* verify({ type: "bulk", emails: addresses })
        const { results } = yield* ended(body.task_id)
        const wrong = [...expected].filter(([email, status]) => results[email]?.status !== status)
        assert.deepStrictEqual(wrong, [])
      }),
    240_000
  )
})

describe("an external verifier", () => {
  it.live("is handed the list, and its name for it and its words come back", () =>
    Effect.gen(function* () {
      const reoon = yield* startReoon()
      const { email } = yield* Configuration.read({
        LADING_VERIFIER: "reoon",
        LADING_REOON_API_KEY: "some-key",
        LADING_REOON_BASE_URL: reoon.url
      })
      const layer = Layer.orDie(Verifiers.layer(email)).pipe(Layer.provide(FetchHttpClient.layer))
      const { server, verify, ended } = yield* start({ verifier: layer })
      const persons = Array.from({ length: 10 }, (_, n) => `ada${n}@acme.example`)
      const others = ["nobody@acme.example", "catch_all@acme.example", "unknown@acme.example", "no address"]
      const { body } = yield* verify({ type: "bulk", emails: [...persons, ...others] })
      const done = yield* ended(body.task_id)
      assert.deepStrictEqual([done.status, done.verifier_task_id], ["completed", "1"])
      assert.deepStrictEqual(
        [persons[0] ?? "", ...others].map((email) => done.results[email].status),
        ["safe", "invalid", "catch_all", "unknown", "invalid"]
      )
      // Thirteen of fourteen are definite, and the text that is no address was told to nobody.
      assert.closeTo(yield* spent(server), 0.65, 1e-9)
      assert.notInclude(JSON.stringify(yield* reoon.calls), "no address")
    })
  )
})

describe("a list as body", () => {
  const lists: ReadonlyArray<readonly [name: string, type: string, query: string, text: string]> = [
    ["one column", "text/csv", "", "mara@acme.test\r\nnobody@acme.test\r\n"],
    ["a column with a heading", "text/csv; charset=utf-8", "", "\ufeffContact\nmara@acme.test\n\nnobody@acme.test"],
    [
      "a column named email",
      "text/csv",
      "",
      'name,E-Mail\n"Ellison, Mara",mara@acme.test\n"Of\ntwo lines", nobody@acme.test '
    ],
    ["semicolons", "text/csv", "", "id;email\n1;mara@acme.test\n2;\n3;nobody@acme.test"],
    ["a column that is named", "text/csv", "&column=Work", "email,Work\nx@acme.test,mara@acme.test\n,nobody@acme.test"],
    ["lines of JSON", "application/x-ndjson", "", '"mara@acme.test"\n\n{"email":"nobody@acme.test","id":7}\n'],
    [
      "a key that is named",
      "application/x-ndjson",
      "&column=work",
      '{"work":"mara@acme.test"}\r\n{"work":"nobody@acme.test"}'
    ]
  ]
  it.live.each(lists)("may be %s", ([, type, query, text]) =>
    Effect.gen(function* () {
      const { verify, ended } = yield* start()
      const sent = yield* verify(text, upload(type), `?type=bulk${query}`)
      assert.strictEqual(sent.status, 201, JSON.stringify(sent.body))
      const { results } = yield* ended(sent.body.task_id)
      assert.deepStrictEqual(Object.keys(results).toSorted(), ["mara@acme.test", "nobody@acme.test"])
    })
  )

  const wrong: ReadonlyArray<readonly [name: string, type: string, query: string, text: string, path: string]> = [
    ["no type in the query", "text/csv", "", "mara@acme.test", "type"],
    ["a webhook_url that is none", "text/csv", "?type=bulk&webhook_url=x", "mara@acme.test", "webhook_url"],
    ["a column that is not there", "text/csv", "?type=bulk&column=Work", "email\nmara@acme.test", "column"],
    ["columns of which none is known", "text/csv", "?type=bulk", "id,name\n1,Mara", "line 1"],
    ["a quote that is never closed", "text/csv", "?type=bulk", 'id,email\n1,"mara', "line 2"],
    ["nothing but a heading", "text/csv", "?type=bulk", "email\n", "emails"],
    ["an address that is too long", "text/csv", "?type=bulk", `email\nmara@acme.test\n${"a".repeat(1001)}`, "line 3"],
    ["a line that is no JSON", "application/x-ndjson", "?type=bulk", '"mara@acme.test"\n{', "line 2"],
    ["a line without an address", "application/x-ndjson", "?type=bulk", '{"mail":"mara@acme.test"}', "line 1"],
    ["more rows than a list has", "text/csv", "?type=bulk", `email\n${"x\n".repeat(100_001)}`, "emails"],
    ["more lines than a list has", "application/x-ndjson", "?type=bulk", '"x"\n'.repeat(100_001), "emails"],
    ["more wrong lines than a list has", "application/x-ndjson", "?type=bulk", "x\n".repeat(100_001), "emails"]
  ]
  it.live.each(wrong)("is refused with %s, and says where", ([, type, query, text, path]) =>
    Effect.gen(function* () {
      const { server, verify } = yield* start()
      const sent = yield* verify(text, upload(type), query)
      assert.deepStrictEqual([sent.status, sent.body.error?.code], [400, "invalid_request"], JSON.stringify(sent.body))
      assert.deepStrictEqual(
        sent.body.error.details.map((detail: { readonly path: string }) => detail.path),
        [path]
      )
      assert.notInclude(JSON.stringify(sent.body), "mara")
      assert.strictEqual(yield* spent(server), 0)
    })
  )

  it.live("is UTF-8, of a known type, and repeatable", () =>
    Effect.gen(function* () {
      const { verify } = yield* start()
      const latin = yield* verify(new Uint8Array([0x6d, 0xe9]), upload("text/csv"), "?type=bulk")
      assert.deepStrictEqual([latin.status, latin.body.error.details[0].message], [400, "Expected a list in UTF-8"])
      const other = yield* verify("mara@acme.test", upload("text/plain"), "?type=bulk")
      assert.strictEqual(other.status, 415)
      const asking = { headers: { "content-type": "text/csv", "idempotency-key": "list-1" } }
      const [first, again] = [
        yield* verify("mara@acme.test", asking, "?type=bulk"),
        yield* verify("mara@acme.test", asking, "?type=bulk")
      ]
      assert.deepStrictEqual(again.body, first.body)
      const changed = yield* verify("nobody@acme.test", asking, "?type=bulk")
      assert.strictEqual(changed.status, 409)
    })
  )
})

it.live("is counted by verifier and status", () =>
  Effect.gen(function* () {
    const { server, verify, ended } = yield* start()
    const count = Effect.map(
      Effect.promise(() => server.send("/metrics")),
      ({ body }) =>
        Number(/^lading_email_results_total\{verifier="smtp",status="disabled"\} (\d+)$/m.exec(body)?.[1] ?? 0)
    )
    const before = yield* count
    yield* verify({ type: "single", email: "gone@acme.test" })
    const { body } = yield* verify({ type: "bulk", emails: ["gone@acme.test", "mara@acme.test"] })
    yield* ended(body.task_id)
    assert.strictEqual((yield* count) - before, 2)
  })
)

describe("what is sent", () => {
  it.live("needs the scope email", () =>
    Effect.gen(function* () {
      const { server, verify } = yield* start()
      yield* server.addKey("lad_live_key-of-people-only", ["people", "company", "customs", "tasks"])
      const sent = yield* verify({ type: "single", email: "mara@acme.test" }, { key: "lad_live_key-of-people-only" })
      assert.deepStrictEqual([sent.status, sent.body.error.message], [403, "The API key lacks the scope email"])
    })
  )

  const wrong: ReadonlyArray<readonly [body: unknown, paths: ReadonlyArray<string>]> = [
    [{}, ["type"]],
    [{ type: "many", email: "a@acme.test" }, ["type"]],
    [{ type: "single" }, ["email"]],
    [{ type: "single", email: 7 }, ["email"]],
    [{ type: "single", email: " " }, ["email"]],
    [{ type: "bulk" }, ["emails"]],
    [{ type: "bulk", emails: [] }, ["emails"]],
    [
      { type: "bulk", emails: ["a@acme.test", 1, ""], webhook_url: "http://[" },
      ["emails[1]", "emails[2]", "webhook_url"]
    ],
    [{ type: "bulk_result" }, ["task_id"]],
    [{ type: "bulk_result", task_id: "../x", page: 0, limit: 10_001 }, ["task_id", "page", "limit"]],
    [{ type: "cancel", task_id: 1 }, ["task_id"]],
    [["single"], [""]]
  ]
  it.live.each(wrong)("is refused where it is wrong: %j", ([body, paths]) =>
    Effect.gen(function* () {
      const { verify } = yield* start({ verifier: Mail.layerUnasked })
      const sent = yield* verify(body)
      assert.deepStrictEqual([sent.status, sent.body.error?.code], [400, "invalid_request"])
      assert.deepStrictEqual(
        sent.body.error.details.map((detail: { readonly path: string }) => detail.path),
        paths
      )
    })
  )

  it.live("may be 100,000 addresses and 16 MiB, and no more", () =>
    Effect.gen(function* () {
      const { verify } = yield* start({ verifier: Layer.fresh(Mail.layerUnasked) })
      const emails = Array.from({ length: 100_001 }, (_, n) => `somebody.with.a.name.${n}@acme${n}.invalid`)
      const many = yield* verify({ type: "bulk", emails })
      assert.deepStrictEqual(
        [many.status, many.body.error.details],
        [400, [{ path: "emails", message: "Expected 1 to 100000 mail addresses" }]]
      )
      const wrong = yield* verify(`{"type":"bulk","emails":[${"1,".repeat(100_000)}1]}`)
      assert.deepStrictEqual(wrong.body.error.details, many.body.error.details)
      // They would cost five thousand, and there are a thousand.
      const dear = yield* verify({ type: "bulk", emails: emails.slice(1) })
      assert.strictEqual(dear.status, 402)
      const large = yield* verify("x".repeat(16 * 1024 * 1024 + 1), upload("text/csv"), "?type=bulk")
      assert.strictEqual(large.status, 413)
    })
  )

  it.live("comes from the typed client too", () =>
    Effect.gen(function* () {
      const { server } = yield* start()
      const { email } = Client.connect({ baseUrl: server.url, apiKey: Redacted.make(server.key) })
      const answer = yield* Effect.promise(() => email.verify({ type: "single", email: "mara@acme.test" }))
      assert.strictEqual(answer.results["mara@acme.test"]?.status, "safe")
      const refused = yield* Effect.promise(() =>
        email.verify({ type: "cancel", task_id: "ver_nothing" }).then(
          () => null,
          (refusal: unknown) => refusal
        )
      )
      assert.instanceOf(refused, Client.Refusal.NotFound)
    })
  )
})
