/** `POST /api/email/verify`: which of the four is asked stands in the body, or in the query of a list that is sent as it is. */
import { Billing } from "@lading/core/billing"
import { EmailRequest, EmailVerification } from "@lading/core/email"
import type { Caller } from "@lading/core/request"
import { Effect, Schema, SchemaTransformation } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Principal } from "../../api/Authorization.ts"
import { bodyLimit, type EmailAnswer } from "../../api/EmailGroup.ts"
import { LadingApi } from "../../api/LadingApi.ts"
import * as Refusal from "../../api/Refusal.ts"
import * as Body from "../Body.ts"
import { Exchange } from "../Exchange.ts"
import * as Idempotent from "../Idempotent.ts"
import * as Metrics from "../Metrics.ts"
import * as Operation from "../Operation.ts"
import { fromUseCase } from "../Refused.ts"
import { Work } from "../Work.ts"
import * as ListBody from "./ListBody.ts"

interface Raw extends Idempotent.Raw {
  readonly query: {
    readonly type?: "bulk" | undefined
    readonly column?: string | undefined
    readonly webhook_url?: string | undefined
  }
}

const tooMany = { path: ["emails"], issue: `Expected ${EmailRequest.aList.expected}` }

/**
 * The type is judged before the rest: a wrong one is named, where a union would only say that nothing fits. So is the
 * length of a list: a body has room for millions of wrong values, and each that is looked at is an issue.
 */
const anything = Schema.optionalKey(Schema.Unknown)

const named = Schema.Struct({
  type: Schema.Literals(["single", "bulk", "bulk_result", "cancel"]),
  email: anything,
  emails: anything,
  webhook_url: anything,
  task_id: anything,
  page: anything,
  limit: anything
})
  .check(
    Schema.makeFilter(({ emails }) => !Array.isArray(emails) || emails.length <= EmailRequest.mostEmails || tooMany)
  )
  .pipe(Schema.decodeTo(EmailRequest.EmailRequest, SchemaTransformation.passthrough({ strict: false })))

const decodeRequest = Body.decoder(named)

/** The body of an answer. */
export const answerOf = ({ credits_charged, ...verification }: EmailVerification.Verification): EmailAnswer => ({
  success: true,
  ...verification,
  meta: { billing: { credits_charged } },
  error: null
})

const encoder = new TextEncoder()

const unmarked = (request_id: string) => {
  const message = "Expected bulk in the query of a list: ?type=bulk"
  return new Refusal.InvalidRequest({ request_id, message, details: [{ path: "type", message }] })
}

/** What is asked, and the bytes that it is repeatable by. */
const read = Effect.fnUntraced(function* ({ query, request }: Raw, limit: number, request_id: string) {
  const bytes = yield* Body.read(request, { limit, types: ListBody.types }, request_id)
  const type = ListBody.types.find((type) => type === Body.mediaType(request))
  if (type === undefined) return { asked: yield* decodeRequest(bytes, request_id), covered: bytes }
  if (query.type === undefined) return yield* unmarked(request_id)
  const { column, webhook_url } = query
  const emails = yield* ListBody.read({ type, bytes, column: column ?? null }, request_id)
  // The query says what the list means, so it is covered with it.
  const covered = encoder.encode(JSON.stringify({ type: "bulk", emails, webhook_url }))
  return { asked: yield* decodeRequest(covered, request_id), covered }
})

const codec = Schema.fromJsonString(EmailVerification.Verification)

/** What is kept of a look at a list: no result. They would be many, and stay what they were when somebody is erased. */
const looked = Schema.fromJsonString(Schema.Struct({ request_id: Schema.String }))

/** Asks the use case. */
const asking = (
  { bulk, cancel, result, single }: EmailVerification.EmailVerification["Service"],
  billing: Billing.Billing["Service"]
) => {
  const once = <A, E>(
    operation: string,
    codec: Schema.Codec<A, string>,
    caller: Caller.Caller,
    work: Effect.Effect<A, E>
  ) =>
    Idempotent.once(
      billing,
      { caller, codec, operation, deadline: caller.received_at + EmailVerification.timeout },
      work
    )

  /** A look changes nothing, so the same again looks again, under the first one's id. */
  const look = Effect.fnUntraced(function* (request: EmailRequest.BulkResult, caller: Caller.Caller) {
    if (caller.idempotency === null) return { answer: yield* result(request, caller), replayed: false }
    const { request_id } = caller
    const permitted = Effect.as(result({ ...request, page: 1, limit: 1 }, caller), { request_id })
    const { answer: first, replayed } = yield* once("email.bulk_result", looked, caller, permitted)
    return { answer: yield* result(request, { ...caller, request_id: first.request_id }), replayed }
  })

  return (request: EmailRequest.EmailRequest, caller: Caller.Caller) => {
    switch (request.type) {
      case "single":
        return single(request, caller)
      case "bulk":
        return bulk(request, caller)
      case "bulk_result":
        return look(request, caller)
      case "cancel":
        return once("email.cancel", codec, caller, cancel(request, caller))
    }
  }
}

type Ask = ReturnType<typeof asking>

const handler = (ask: Ask, limits: Operation.Limits) => {
  const limit = Math.max(limits.body, bodyLimit)
  return Effect.fnUntraced(function* (raw: Raw) {
    const { received_at, request_id } = yield* Exchange
    const principal = yield* Principal
    const { account, key: api_key } = principal
    const work = yield* Work
    yield* Operation.permit(["email"], principal, request_id)
    const { asked, covered } = yield* read(raw, limit, request_id)
    const idempotency = yield* Idempotent.of(raw, covered)
    const caller: Caller.Caller = { account, api_key, request_id, received_at, idempotency }
    const { answer, replayed } = yield* work.wait(Effect.mapError(ask(asked, caller), fromUseCase(request_id)), {
      request_id,
      deadline: received_at + EmailVerification.timeout + limits.grace,
      outlives: idempotency !== null
    })
    if (!replayed && asked.type === "single") yield* Metrics.platformCredits("email", answer.credits_charged)
    return HttpServerResponse.text(JSON.stringify(answerOf(answer)), {
      status: 201,
      contentType: "application/json",
      headers: replayed ? { "idempotent-replayed": "true" } : {}
    })
  })
}

export const layer = (limits: Operation.Limits) =>
  HttpApiBuilder.group(
    LadingApi,
    "email",
    Effect.fnUntraced(function* (handlers) {
      const ask = asking(yield* EmailVerification.EmailVerification, yield* Billing.Billing)
      return handlers.handleRaw("verify", handler(ask, limits))
    })
  )
