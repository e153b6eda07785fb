/**
 * The signature of Standard Webhooks: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in Base64, one for each secret that
 * is valid, with spaces between them.
 */
import { WebhookMessage } from "@lading/core/net"
import type { Redacted } from "effect"
import { createHmac } from "node:crypto"

/** `timestamp` in seconds since the epoch. */
export const sign = (secrets: ReadonlyArray<Redacted.Redacted>, id: string, timestamp: number, body: string): string =>
  secrets
    .map((secret) => {
      const hmac = createHmac("sha256", WebhookMessage.keyOf(secret))
      return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest("base64")}`
    })
    .join(" ")
