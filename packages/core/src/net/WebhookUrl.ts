/**
 * Where a webhook may be sent to: the field `webhook_url` of a request. `https` on its usual port, a name or a public
 * address, no user, no password, no fragment.
 *
 * Gotchas
 * - What holds everywhere is in the schema `WebhookUrl`; what an operator may loosen is `admit`'s affair: a use case calls
 *   it before anything is charged, and an embedder who says nothing has the strict policy.
 * - A name says nothing of where it leads: the sender judges each of its addresses again, at every attempt.
 */
import { Context, Effect, Schema } from "effect"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import * as PublicUrl from "./PublicUrl.ts"

/** The longest address that is taken, in characters. */
export const longest = 2048

const expected = "Expected an absolute https address without a user, a password or a fragment"

const isAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.username === "" &&
    url.password === "" &&
    !text.includes("#") &&
    text.trim() === text
  )
}

/** The field `webhook_url`; see `admit` for what else is asked of it. */
export const WebhookUrl = Schema.String.check(
  Schema.isMaxLength(longest),
  Schema.makeFilter((text) => isAddress(text) || expected)
).annotate({
  description: `Where the event is sent to (Standard Webhooks): https, a public host, at most ${longest} characters`
})

export interface Policy {
  /** Whether `http`, any port, and hosts that are not public may be sent to: for development and tests only. */
  readonly insecure: boolean
}

/** The policy of this installation; strict where nobody says otherwise. */
export const Policy = Context.Reference<Policy>("@lading/core/net/WebhookUrl/Policy", {
  defaultValue: () => ({ insecure: false })
})

const messages: Record<PublicUrl.Problem, string> = {
  scheme: "Expected an https address",
  userinfo: expected,
  port: "Expected an https address on port 443",
  host: "Expected a host on the public internet"
}

/** What is wrong with the address under this policy, as a sentence; `null` when it may be sent to. */
export const problem = (text: string, { insecure }: Policy): string | null => {
  const url = isAddress(text) ? URL.parse(text) : null
  if (url === null || text.length > longest) return expected
  if (insecure) return null
  if (url.protocol !== "https:") return messages.scheme
  const found = PublicUrl.problem(url, { ports: [443] })
  return found === null ? null : messages[found]
}

/** Refuses, as a 400 that names `webhook_url`, an address that this installation does not send to. */
export const admit = Effect.fnUntraced(function* (
  webhookUrl: string | undefined,
  path = "webhook_url"
): Effect.fn.Return<void, InvalidRequest> {
  if (webhookUrl === undefined) return
  const wrong = problem(webhookUrl, yield* Policy)
  if (wrong !== null) return yield* at(path, wrong)
})
