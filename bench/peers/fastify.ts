/**
 * The server without Lading, as an engineer writes it for this one job: Fastify with JSON schemas, vendors asked through
 * `undici` within a time limit (all at once, or in turn until one has an answer), a merge by hand that attributes every field, one debit. It logs one line a
 * request, as Lading does.
 *
 * What it does not do: hold credits before it asks, keep answers, retry, limit or break circuits, repeat an answer for an
 * idempotency key, check what vendors answer, look for people who objected, trace, count.
 */
import type { CompanyFacts } from "@lading/core/company"
import Fastify, { type FastifyReply } from "fastify"
import { createHash, randomBytes } from "node:crypto"
import { getHostname } from "tldts"
import { merge, sameCompany } from "../waterfall/byHand.ts"
import * as Credits from "./Credits.ts"
import * as Schemas from "./Schemas.ts"
import * as Vendor from "./Vendor.ts"

const setting = (name: string): string => process.env[`PEER_${name}`] ?? ""

const vendors = setting("VENDORS")
  .split(" ")
  .map((url, index) => ({ source: `provider_${"abcd"[index]}`, ask: Vendor.make(url) }))

const granted = Number(setting("CREDITS")) * 1e6
const credits =
  setting("DATABASE_URL") === ""
    ? await Credits.embedded(setting("DATA_DIR"), granted)
    : await Credits.served(setting("DATABASE_URL"), granted)

const digest = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Of all API keys only their digests are known. */
const keys = new Set([digest(setting("API_KEY"))])

/** Millionths. */
const fee = 100_000
const price = 1_000_000

const newId = (): string => `req_${randomBytes(18).toString("base64url")}`

/** A domain in lower case without what people paste around it; `null` for what is none. */
const parseDomain = (text: string): string | null => {
  const host = getHostname(text.trim().toLowerCase())?.replace(/^www\./, "") ?? null
  return host !== null && /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{1,62}$/.test(host) ? host : null
}

const isFilled = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : typeof value === "object" && value !== null
      ? Object.values(value).some((member) => member !== null)
      : value !== null

const required = ["name", "industries", "description", "estimated_employee_count", "hq", "social_links"]

interface Answer {
  readonly source: string
  readonly facts: CompanyFacts | null
  readonly failed: boolean
  readonly ownKey: boolean
}

type Asking = (domain: string) => Promise<Answer>

/** Who can be asked in this request, in order. Who fails is named and answers nothing. */
const askable = (ownKey: string | undefined): ReadonlyArray<Asking> =>
  vendors.flatMap(({ ask, source }): ReadonlyArray<Asking> => {
    const own = source === "provider_d"
    const key = own ? ownKey : setting("VENDOR_KEY")
    if (key === undefined) return []
    const asked = async (domain: string) => {
      try {
        return { source, facts: await ask(domain, key), failed: false, ownKey: own }
      } catch {
        return { source, facts: null, failed: true, ownKey: own }
      }
    }
    return [asked]
  })

const isHit = (domain: string, { facts }: Answer): boolean => facts !== null && sameCompany(domain, facts)

const inTurn = async (asking: ReadonlyArray<Asking>, domain: string): Promise<ReadonlyArray<Answer>> => {
  const answers: Array<Answer> = []
  for (const ask of asking) {
    const answer = await ask(domain)
    answers.push(answer)
    if (isHit(domain, answer)) break
  }
  return answers
}

/** Why others than those that were asked were not. */
const skippedOf = (answers: ReadonlyArray<Answer>, ownKey: string | undefined) =>
  vendors
    .filter(({ source }) => answers.every((answer) => answer.source !== source))
    .map(({ source }) => ({
      source,
      reason: source === "provider_d" && ownKey === undefined ? "provider_d_requires_byok" : "already_answered"
    }))

const refuse = (
  reply: FastifyReply,
  status: number,
  code: string,
  message: string,
  details: ReadonlyArray<object> = []
) =>
  reply.code(status).send({
    success: false,
    request_id: reply.request.id,
    data: null,
    meta: { billing: { credits_charged: 0, byok_used: false } },
    error: { code, message, retryable: status >= 500, details }
  })

const app = Fastify({
  logger: { level: "info" },
  disableRequestLogging: true,
  genReqId: newId,
  ajv: { customOptions: { coerceTypes: false, allErrors: true } }
})

app.addHook("onRequest", async (request, reply) => {
  void reply.header("x-request-id", request.id)
  const [scheme, key = ""] = (request.headers.authorization ?? "").split(" ")
  if (scheme !== "Bearer" || !keys.has(digest(key))) {
    return refuse(reply, 401, "unauthenticated", "Expected a valid API key")
  }
})

app.addHook("onResponse", async (request, reply) => {
  request.log.info({ method: request.method, path: request.url, status: reply.statusCode, ms: reply.elapsedTime })
})

app.setErrorHandler<{ readonly validation?: ReadonlyArray<object>; readonly statusCode?: number } & Error>(
  (error, _, reply) =>
    (error.statusCode ?? 500) < 500
      ? refuse(reply, error.statusCode ?? 400, "invalid_request", error.message, error.validation)
      : (reply.log.error(error), refuse(reply, 500, "internal", "Something went wrong"))
)

app.post<{ Body: Schemas.Request }>(
  "/api/company/enrich",
  { schema: { body: Schemas.request, response: { 200: Schemas.answer } } },
  async (request, reply) => {
    const began = Date.now()
    const input = request.body.identity.domains[0]
    const domain = parseDomain(input)
    if (domain === null) return refuse(reply, 400, "invalid_request", "Expected a domain name")
    const { byok = {}, mode = "first_match" } = request.body.waterfall ?? {}
    const asking = askable(byok.provider_d_api_key)
    const answers =
      mode === "aggregate" ? await Promise.all(asking.map((ask) => ask(domain))) : await inTurn(asking, domain)
    const failed = answers.filter((answer) => answer.failed)
    if (failed.length === answers.length) return refuse(reply, 503, "unavailable", "No source answers")
    const found = answers.flatMap(({ facts, source }) =>
      facts === null || !sameCompany(domain, facts) ? [] : [[source, facts] as const]
    )
    const sold = answers.filter((answer) => !answer.ownKey && isHit(domain, answer))
    const cost = fee + sold.length * price
    if (!(await credits.debit(cost))) return refuse(reply, 402, "insufficient_credits", "Too few credits")
    const { field_sources, profile } = merge(domain, found)
    return {
      success: true,
      request_id: request.id,
      company: {
        input: { domain: input, name: null },
        domain: profile["primary_domain"],
        name: profile["name"],
        profile,
        field_sources,
        provider_raw: {},
        customs: null
      },
      meta: {
        billing: {
          credits_charged: cost / 1e6,
          byok_used: answers.some((answer) => answer.ownKey),
          platform_credits_charged: fee / 1e6
        },
        waterfall: {
          mode,
          all_fields_filled: required.every((field) => isFilled(profile[field])),
          total_latency_ms: Date.now() - began,
          async_pending: false,
          sources_attempted: answers.map(({ source }) => source),
          sources_skipped: skippedOf(answers, byok.provider_d_api_key),
          sources_failed: failed.map(({ source }) => ({ source, reason: "unavailable" })),
          cache_hits: []
        }
      },
      error: null
    }
  }
)

/** What the benchmark asks, see `../http/Probe.ts`. */
process.on("message", async ({ id, question }: { readonly id: number; readonly question: string }) => {
  if (question === "balance") process.send?.({ to: id, answer: (await credits.balance()) / 1e6 })
})

process.once("SIGTERM", async () => {
  await app.close()
  await credits.close()
  process.exit()
})

console.log(`The peer serves on ${await app.listen({ host: "127.0.0.1", port: 0 })}`)
