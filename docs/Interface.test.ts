/** Holds the tables of `docs/interface.md` to the schemas: every field, reason and code is there, and no other. */
import { Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { CompanyEnrichment, CompanyProfile } from "../packages/core/src/company/index.ts"
import { EmailRequest } from "../packages/core/src/email/index.ts"
import { PersonEnrichment, PersonProfile } from "../packages/core/src/person/index.ts"
import { Webhooks } from "../packages/core/src/net/index.ts"
import { Byok, type Plan, Quote, WaterfallMeta, WaterfallOptions } from "../packages/core/src/waterfall/index.ts"
import { FailureReason } from "../packages/core/src/waterfall/SourceError.ts"
import { NotVerified } from "../packages/core/src/waterfall/VerifiedEmail.ts"
import {
  Admin,
  ErrorBody,
  ErrorCode,
  LadingApi,
  Loads,
  ReferenceGroup,
  WebhooksGroup
} from "../packages/http/src/api/index.ts"
import * as Account from "../packages/http/src/api/Account.ts"
import { emailAnswer } from "../packages/http/src/api/EmailGroup.ts"
import { QuoteRequest } from "../packages/http/src/api/Quotes.ts"
import * as SuccessBody from "../packages/http/src/api/SuccessBody.ts"
import * as Markdown from "./fixtures/Markdown.ts"
import { names } from "./fixtures/SchemaNames.ts"

const page = Markdown.read("docs/interface.md")

const cells = (heading: string, column = 0): ReadonlyArray<string> =>
  Markdown.rows(Markdown.section(page, heading)).map((row) => (row[column] ?? "").replaceAll("`", ""))

const strict = { onExcessProperty: "error" } as const

/** Without the parts that have a table of their own. */
const without = (all: ReadonlyArray<string>, ...parts: ReadonlyArray<string>): ReadonlyArray<string> =>
  all.filter((name) => !parts.some((part) => name.startsWith(`${part}.`) || name.startsWith(`${part}[]`)))

const unique = (all: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(all)].sort()

const told = (heading: string, real: ReadonlyArray<string>) =>
  assert.deepStrictEqual(unique(cells(heading)), unique(real))

describe("docs/interface.md names every field", () => {
  const company = names(CompanyEnrichment.CompanyEnrichmentRequest.ast)
  const person = names(PersonEnrichment.PersonEnrichmentRequest.ast)

  it("of the requests", () => {
    told("### Request: company", without(company, "waterfall", "identity.domains", "identity.names"))
    told("### Request: person", without(person, "waterfall"))
  })

  it("of the waterfall options, for both requests", () => {
    for (const all of [company, person]) {
      const options = all.flatMap((name) => (name.startsWith("waterfall.") ? [name.slice("waterfall.".length)] : []))
      told("## The waterfall options", without(options, "byok"))
    }
    assert.isNotEmpty(names(WaterfallOptions.WaterfallOptions([]).ast))
    const { stored: _, ...keys } = Byok.fields
    const slots = unique(Object.keys(keys).map((name) => name.split("_").slice(0, 2).join("_")))
    assert.deepStrictEqual(slots, ["provider_a", "provider_b", "provider_c", "provider_d"])
  })

  it("of the answers", () => {
    const parts = ["meta.waterfall", "meta.explanation"]
    told(
      "### Answer: company",
      without(
        names(CompanyEnrichment.CompanyEnrichmentResult.ast),
        "company.profile",
        "company.customs.as_importer",
        "company.customs.as_exporter",
        "companies",
        ...parts
      )
    )
    told(
      "### Answer: person",
      without(names(PersonEnrichment.PersonEnrichmentResult.ast), "person", "meta.billing.breakdown", ...parts)
    )
  })

  it("of a quote", () => {
    assert.deepStrictEqual(cells("### Request: quote"), ["operation", "request"])
    for (const member of QuoteRequest.members) assert.sameMembers(Object.keys(member.fields), ["operation", "request"])
    told("### Answer: quote", names(Quote.Quote.ast))
  })

  it("of a verification", () => {
    told("### Request: verification", names(EmailRequest.EmailRequest.ast))
    told("### Answer: verification", names(emailAnswer.ast))
  })

  it("of an account", () => {
    assert.deepStrictEqual(cells("### Request: account"), Object.keys(Account.UsageQuery))
    told("### Answer: account", names(Account.OwnAccount.ast))
  })

  it("of stored vendor keys", () => {
    told("### Request: vendor key", names(Account.VendorKeyRequest.ast))
    const [answer] = Markdown.section(page, "### Answer: vendor key").split("| Rule |")
    const fields = Markdown.rows(answer ?? "").map(([field = ""]) => field.replaceAll("`", ""))
    assert.deepStrictEqual(unique(fields), unique(names(Account.VendorKey.ast)))
  })

  it("of the profiles", () => {
    told("### Profile: company", names(CompanyProfile.ast))
    told("### Profile: person", names(PersonProfile.ast))
  })

  it("of meta.waterfall", () => {
    told("## `meta.waterfall`", [
      ...without(names(WaterfallMeta.ast), "sources_skipped", "sources_failed"),
      ...skipReasons,
      ...FailureReason.literals,
      ...NotVerified.literals
    ])
  })
})

describe("docs/interface.md names what administrators ask and are told", () => {
  const prefixed = (schemas: Readonly<Record<string, Schema.Top>>) =>
    Object.entries(schemas).flatMap(([prefix, { ast }]) => names(ast, prefix))

  it("at every endpoint", () => {
    const endpoints: Array<string> = []
    HttpApi.reflect(LadingApi, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group }) => {
        if (group.identifier === "admin") endpoints.push(`${endpoint.method} ${endpoint.path}`)
      }
    })
    const told = cells("## Administration").filter((cell) => /^[A-Z]+ \//.test(cell))
    assert.deepStrictEqual(unique(told), unique(endpoints))
  })

  it("in every field of a request", () => {
    told(
      "### What administrators ask",
      without(
        prefixed({
          new_account: Admin.NewAccount,
          list: Schema.Struct(Admin.ListQuery),
          new_limits: Admin.NewLimits,
          grant: Admin.Grant,
          adjustment: Admin.Adjustment,
          refund: Admin.Refund,
          new_key: Admin.NewKey,
          audit_query: Schema.Struct(Admin.AuditQuery),
          subject: Admin.Subject,
          new_load: Loads.NewLoad,
          load_query: Schema.Struct(Loads.Lease),
          part_head: Loads.PartHead,
          trade_row: Loads.Row
        }),
        "trade_row.record"
      )
    )
  })

  it("in every field of an answer", () => {
    const real = prefixed({
      account: Admin.Account,
      accounts: Admin.AccountList,
      limits: Admin.Limits,
      balance: Admin.Balance,
      refunded: Admin.Refunded,
      made_key: Admin.MadeKey,
      keys: Admin.KeyList,
      revoked_key: Admin.RevokedKey,
      audit: Admin.Audit,
      proof: Admin.Proof,
      replay: Admin.ReplayReport,
      loads: Loads.LoadList,
      begun: Loads.Begun,
      progress: Loads.Progress,
      publication: Loads.Publication,
      abandoned: Loads.Abandoned
    })
    told("### What administrators are told", without(real, "accounts.list[].balance", "refunded.balance"))
  })

  it("in the envelope that it shows", () => {
    const block = Markdown.blocks("docs/interface.md").find(({ text }) => text.includes('"success": true'))
    const body = SuccessBody.of(Admin.Account)
    assert.strictEqual(Schema.decodeUnknownSync(body, strict)(JSON.parse(block?.text ?? "")).data.name, "north")
  })
})

it("docs/interface.md names what the owners of webhooks ask and are told, and docs/webhooks.md every problem", () => {
  const endpoints: Array<string> = []
  HttpApi.reflect(LadingApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      if (group.identifier === "webhooks") endpoints.push(`${endpoint.method} ${endpoint.path}`)
    }
  })
  const fields = Object.entries({
    list: Schema.Struct(WebhooksGroup.ListQuery),
    secret: WebhooksGroup.RotatedSecret,
    deliveries: WebhooksGroup.DeliveryList,
    delivery: WebhooksGroup.DeliveryWithAttempts
  }).flatMap(([prefix, { ast }]) => names(ast, prefix))
  const header = new Set(["Endpoint", "Field"])
  const shown = cells("## Webhooks").filter((cell) => !header.has(cell))
  const real = [...endpoints, ...without(fields, "deliveries.list", "delivery.last_attempt")]
  assert.deepStrictEqual(unique(shown), unique(real))
  const log = Markdown.section(Markdown.read("docs/webhooks.md"), "## The log")
  const problems = Markdown.rows(log).map(([problem = ""]) => problem.replaceAll("`", ""))
  assert.deepStrictEqual(unique(problems), unique(Webhooks.Problem.literals))
})

it("docs/interface.md names every endpoint and field of references", () => {
  const endpoints: Array<string> = []
  HttpApi.reflect(LadingApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      if (group.identifier === "reference") endpoints.push(`${endpoint.method} ${endpoint.path}`)
    }
  })
  const fields = Object.entries({
    codes: ReferenceGroup.CodesOf,
    industries: ReferenceGroup.IndustryList,
    technologies: ReferenceGroup.TechnologyList
  }).flatMap(([prefix, { ast }]) => names(ast, prefix))
  const header = new Set(["Endpoint", "Field"])
  const shown = cells("## References").filter((cell) => !header.has(cell))
  assert.deepStrictEqual(unique(shown), unique([...endpoints, ...fields]))
})

/** Typed, so that a reason that is added to the plan is missed here by the compiler. */
const reasons: Readonly<Record<Plan.DynamicReason | Exclude<Plan.StaticReason, `${string}_requires_byok`>, true>> = {
  not_configured: true,
  unsupported_operation: true,
  suppressed: true,
  invalid_input: true,
  already_answered: true,
  fields_filled: true,
  circuit_open: true,
  rate_limited: true,
  budget_exhausted: true,
  deadline_exceeded: true
}
const skipReasons = [...Object.keys(reasons), "<source>_requires_byok"]

describe("docs/interface.md names every reason", () => {
  it("for which a source is skipped", () => told("### Why a source is skipped", skipReasons))

  it("for which a source failed", () => told("### Why a source failed", FailureReason.literals))

  it("for which a request fails", () => {
    const reserved = ["conflict"]
    const codes = unique(cells("## Errors", 1))
    assert.deepStrictEqual(unique([...codes, ...reserved]), unique(ErrorCode.literals))
    assert.isTrue(reserved.every((code) => !codes.includes(code)))
  })
})

it("docs/interface.md shows an error as its schema has it", () => {
  const block = Markdown.blocks("docs/interface.md").find(({ text }) => text.includes('"success": false'))
  assert.strictEqual(Schema.decodeUnknownSync(ErrorBody, strict)(JSON.parse(block?.text ?? "")).success, false)
})
