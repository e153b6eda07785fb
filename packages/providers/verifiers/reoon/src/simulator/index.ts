/**
 * A Reoon to test against: a real server on loopback. What it says of an address is in its local part: `catch_all@` is a
 * catch-all, `nobody@` invalid, `refused@` no address to it; everybody else is safe. A task is completed when it is asked for a second time.
 */
import { Simulator } from "@lading/testing"
import type { Effect, Scope } from "effect"

const error = (status: number, reason: string): Simulator.Reply => ({ status, body: { status: "error", reason } })

const STATUSES = new Set(["disabled", "disposable", "inbox_full", "catch_all", "role_account", "spamtrap", "unknown"])

const statusOf = (local: string) => {
  if (local === "nobody") return "invalid"
  return STATUSES.has(local) ? local : "safe"
}

const verified = (email: string) => {
  const [username = "", domain = ""] = email.split("@")
  const status = statusOf(username)
  return {
    email,
    domain,
    username,
    status,
    is_catch_all: status === "catch_all",
    is_deliverable: status === "safe" || status === "catch_all",
    is_safe_to_send: status === "safe",
    is_valid_syntax: true,
    mx_accepts_mail: true,
    can_connect_smtp: true,
    verification_mode: "power"
  }
}

const emailsOf = (body: unknown): ReadonlyArray<unknown> =>
  typeof body === "object" && body !== null && "emails" in body && Array.isArray(body.emails) ? body.emails : []

const dialect = (): Simulator.Dialect => {
  const tasks = new Map<string, { readonly emails: ReadonlyArray<string>; asked: number }>()
  const begin = (body: unknown): Simulator.Reply => {
    const emails = emailsOf(body).map(String)
    if (emails.length < 10 || emails.length > 50_000) return error(400, "Between 10 and 50,000 emails.")
    const id = String(tasks.size + 1)
    tasks.set(id, { emails, asked: 0 })
    return { status: 201, body: { status: "success", task_id: id, count_submitted: emails.length } }
  }
  const result = (id: string): Simulator.Reply => {
    const task = tasks.get(id)
    if (task === undefined) return { status: 200, body: { status: "file_not_found" } }
    task.asked++
    const state = { task_id: id, count_total: task.emails.length }
    if (task.asked === 1) return { status: 200, body: { ...state, status: "running", count_checked: "3" } }
    const results = Object.fromEntries(task.emails.map((email) => [email.toLowerCase(), verified(email)]))
    return { status: 200, body: { ...state, status: "completed", count_checked: task.emails.length, results } }
  }
  const refused = error(200, "Wrong API key.")
  return {
    vendor: "reoon",
    credential: ({ body, query }) =>
      query["key"] ??
      (typeof body === "object" && body !== null && "key" in body && typeof body.key === "string" ? body.key : null),
    answer: ({ body, path, query }) => {
      const email = query["email"] ?? ""
      if (path === "/api/v1/verify")
        return email.startsWith("refused@") ? error(400, "Invalid email.") : { status: 200, body: verified(email) }
      if (path === "/api/v1/create-bulk-verification-task/") return begin(body)
      if (path === "/api/v1/get-result-bulk-verification-task/") return result(query["task_id"] ?? "")
      return error(404, "No such page.")
    },
    miss: ({ query }) => ({ status: 200, body: { email: query["email"] ?? "", status: "unknown" } }),
    wrongKey: () => refused,
    quotaExhausted: () => error(200, "Not enough credits."),
    rateLimited: () => error(429, "Too many requests."),
    suppressed: null
  }
}

/** Starts it; it stops with its scope. Its `url` is the adapter's `baseUrl`. */
export const start = (options?: Simulator.Options): Effect.Effect<Simulator.Simulator, never, Scope.Scope> =>
  Simulator.make(dialect(), options)
