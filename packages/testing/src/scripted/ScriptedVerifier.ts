/**
 * A verifier without a mail host: says what the script says, inside the process, and notes what it was asked. For tests of
 * whatever stands behind a verifier; verifiers themselves are tested against hosts that talk SMTP.
 */
import { EmailResult, EmailVerifier } from "@lading/core/email"
import { Effect, Layer } from "effect"

/** The status of an address, or how asking about it goes wrong. `deadline` in epoch milliseconds. */
export type Script = (
  email: string,
  deadline: number
) => Effect.Effect<EmailResult.EmailStatus, EmailVerifier.EmailVerifierUnavailable>

/** It verifies single addresses only. */
export const make = (script: Script) => {
  const asked: Array<string> = []
  const layer = Layer.succeed(EmailVerifier.EmailVerifier, {
    name: "scripted",
    single: (email, deadline) =>
      Effect.suspend(() => {
        asked.push(email)
        return Effect.map(script(email, deadline), (status) => ({
          ...EmailResult.unknown(email),
          status,
          overall_score: status === "safe" ? "98" : "0"
        }))
      }),
    bulk: {
      _tag: "Delegated",
      least: 1,
      most: 1,
      begin: () => Effect.die("no list is handed over"),
      progress: () => Effect.die("no list was handed over")
    }
  })
  return { asked, layer }
}

/** Says of each address what stands here; of every other one that it is safe. */
export const knowing = (statuses: { readonly [email: string]: EmailResult.EmailStatus }) =>
  make((email) => Effect.succeed(statuses[email.toLowerCase()] ?? "safe"))
