/**
 * How Snov.io speaks apart from what it knows: clients that become tokens, tasks that take their time, and how it refuses.
 *
 * Gotchas
 * - A token is right as long as its client is: which clients are right is said to the simulator, as `<id>:<secret>`.
 * - A task is another account's secret: with another client's token there is none of that hash.
 * - Faults of the answer itself (a miss, credits, an objection) leave the token alone and show where Snov.io shows them.
 */
import type { Population, Simulator } from "@lading/testing"
import * as Answers from "./Answers.ts"
import type { Issued, Question } from "./Issued.ts"

const fields = ({ body }: Simulator.Asked): Answers.Body =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : {}

const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "")

const TOKEN = "/v1/oauth/access_token"

/** What a request is: the start of a task, a look at one, a profile, the balance, or a token. */
type Wanted =
  | { readonly _tag: "Token" }
  | { readonly _tag: "Balance" }
  | { readonly _tag: "Start"; readonly question: Question | null; readonly where: "data" | "meta" }
  | { readonly _tag: "Result"; readonly about: Question["_tag"]; readonly hash: string }
  | { readonly _tag: "Profile"; readonly email: string }
  | { readonly _tag: "Unknown" }

const row = (asked: Simulator.Asked): Question | null => {
  const { rows } = fields(asked)
  const first: unknown = Array.isArray(rows) ? rows[0] : null
  if (typeof first !== "object" || first === null) return null
  const [first_name, last_name, domain] = ["first_name", "last_name", "domain"].map((key) =>
    text(Reflect.get(first, key))
  )
  if (first_name === undefined || last_name === undefined || domain === undefined) return null
  return [first_name, last_name, domain].includes("") ? null : { _tag: "Person", first_name, last_name, domain }
}

const domainOf = (asked: Simulator.Asked): Question | null => {
  const domain = text(fields(asked)["domain"] ?? asked.query["domain"])
  return domain === "" ? null : { _tag: "Company", domain }
}

const wanted = (asked: Simulator.Asked): Wanted => {
  const { method, path, query } = asked
  const [, hash] = /^\/v2\/domain-search\/result\/([^/]+)$/.exec(path) ?? []
  if (method === "GET" && hash !== undefined) return { _tag: "Result", about: "Company", hash }
  switch (`${method} ${path}`) {
    case `POST ${TOKEN}`:
      return { _tag: "Token" }
    case "GET /v1/get-balance":
      return { _tag: "Balance" }
    case "POST /v2/domain-search/start":
      return { _tag: "Start", question: domainOf(asked), where: "meta" }
    case "POST /v2/emails-by-domain-by-name/start":
      return { _tag: "Start", question: row(asked), where: "data" }
    case "GET /v2/emails-by-domain-by-name/result":
      return { _tag: "Result", about: "Person", hash: query["task_hash"] ?? "" }
    case "POST /v1/get-profile-by-email":
      return { _tag: "Profile", email: text(fields(asked)["email"]) }
    default:
      return { _tag: "Unknown" }
  }
}

const unknown: Simulator.Reply = {
  status: 404,
  body: { errors: { code: 404, title: "Sorry, but url or entity not found", source: "" } }
}

const failure = (status: number, ...errors: ReadonlyArray<string>): Simulator.Reply => ({
  status,
  body: { success: false, errors }
})

const started = (where: "data" | "meta", task_hash: string): Simulator.Reply =>
  Answers.success(
    where === "data"
      ? { data: { task_hash }, meta: { rows: [] } }
      : {
          data: [],
          meta: { task_hash },
          links: { result: `https://api.snov.io/v2/domain-search/result/${task_hash}` }
        }
  )

const credentialOf =
  (issued: Issued): Simulator.Dialect["credential"] =>
  (asked) => {
    if (asked.path !== TOKEN) {
      const [, token] = /^bearer\s+(.+)$/i.exec(asked.headers["authorization"] ?? "") ?? []
      return token === undefined ? null : issued.owner(token)
    }
    const [id, secret] = ["client_id", "client_secret"].map((name) => text(fields(asked)[name]))
    return id === "" || secret === "" ? null : `${id}:${secret}`
  }

/** A look at a task: what it works on when it is done, and the reply when it is not. */
const look = (issued: Issued, owner: string, { about, hash }: Extract<Wanted, { readonly _tag: "Result" }>) => {
  const task = issued.ask(owner, hash)
  if (task === null || task.question._tag !== about) return unknown
  const { done, question } = task
  // Domain search spells it in two words.
  const status = about === "Company" ? "in progress" : "in_progress"
  return done ? question : Answers.success({ status, data: [], meta: { task_hash: hash } })
}

const objecting = (question: Question, hash: string): Answers.Body | null =>
  question._tag === "Company"
    ? null
    : Answers.personResult(question, hash, [
        Answers.address(`somebody@${question.domain}`, {
          smtp_status: "unknown",
          unknown_status_reason: "hidden_by_owner"
        })
      ])

const missing = (question: Question, hash: string): Answers.Body =>
  question._tag === "Company"
    ? Answers.companyResult(question.domain, hash, null)
    : Answers.personResult(question, hash, [])

/** What every client has. */
const balance = Answers.success({
  success: true,
  data: { balance: "25000.00", teamwork: false, unique_recipients_used: 0, limit_resets_in: 29, expires_in: 359 }
})

/** Snov.io's way to speak of a population, with the tokens and tasks that it has given out. */
export const make = (population: Population.SyntheticPopulation, issued: Issued): Simulator.Dialect => {
  const credential = credentialOf(issued)

  /** Answers; `result` says what a task comes to. */
  const answering =
    (result: (question: Question, hash: string) => Answers.Body, profile: (email: string) => Answers.Body) =>
    (asked: Simulator.Asked): Simulator.Reply => {
      const request = wanted(asked)
      const owner = credential(asked) ?? ""
      switch (request._tag) {
        case "Token":
          return Answers.success(issued.token(owner))
        case "Balance":
          return balance
        case "Start":
          return request.question === null
            ? failure(422, "The domain field is required.")
            : started(request.where, issued.task(owner, request.question))
        case "Result": {
          const seen = look(issued, owner, request)
          return "_tag" in seen ? Answers.success(result(seen, request.hash)) : seen
        }
        case "Profile":
          return request.email === ""
            ? failure(422, "The email field is required.")
            : Answers.success(profile(request.email))
        case "Unknown":
          return unknown
      }
    }

  const answer = answering(
    (question, hash) => Answers.result(population, question, hash),
    (email) => Answers.profileOf(population, email)
  )
  return {
    vendor: "snov",
    credential,
    answer,
    miss: answering(missing, () => Answers.nobody),
    wrongKey: ({ path }) =>
      path === TOKEN
        ? { status: 401, body: { error: "invalid_client", message: "Client authentication failed" } }
        : failure(401, "Unauthenticated."),
    quotaExhausted: (asked) =>
      asked.path === TOKEN
        ? answer(asked)
        : {
            status: 400,
            body: { success: false, message: "Sorry, you ran out of credits, please order more credits" }
          },
    rateLimited: (seconds) => ({
      status: 429,
      headers: seconds === null ? {} : { "retry-after": String(seconds) },
      body: { success: false, errors: ["Too Many Attempts."] }
    }),
    suppressed: answering(
      (question, hash) => objecting(question, hash) ?? missing(question, hash),
      () => Answers.nobody
    )
  }
}
