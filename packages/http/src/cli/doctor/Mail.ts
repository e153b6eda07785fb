/** Who verifies mail addresses and, where this machine does, whether mail hosts would talk to it. */
import type { SelfTest } from "@lading/smtp"
import { Effect } from "effect"
import type { Configuration } from "../../server/Configuration.ts"
import * as Verifiers from "../../server/Verifiers.ts"
import * as Check from "./Check.ts"

const name = "verifier"

const absent = ({ verifier }: Configuration["email"]): Check.Check =>
  verifier === "none"
    ? Check.make(name, "off", "LADING_VERIFIER is none: mail addresses are not verified.")
    : Check.make(
        name,
        "off",
        "Mail addresses are not verified: set LADING_SMTP_HELO and LADING_SMTP_FROM to verify from this machine, or LADING_VERIFIER=reoon and LADING_REOON_API_KEY."
      )

const reoon = ({ reoonKey }: Configuration["email"]): Check.Check =>
  reoonKey === null
    ? Check.make(name, "failed", "LADING_VERIFIER is reoon: set LADING_REOON_API_KEY.")
    : Check.make(name, "ok", "Reoon verifies mail addresses; its key is set and was not tried.")

/** An unknown public address is the usual reason why something cannot be told. */
const told = ({ publicAddress }: Configuration["email"], { name, outcome, says }: SelfTest.Check): Check.Check =>
  Check.make(
    name,
    outcome,
    publicAddress === null && outcome === "unknown" && name !== "port_25"
      ? `${says.replace(/\.$/, "")}: set LADING_SMTP_PUBLIC_ADDRESS.`
      : says
  )

const own = Effect.fnUntraced(function* (email: Configuration["email"]) {
  const { classifier, settings } = yield* Verifiers.own(email)
  const { Prober, SelfTest } = yield* Effect.promise(() => import("@lading/smtp"))
  const prober = yield* Prober.make(settings, classifier)
  const found = yield* SelfTest.run(settings, prober, email.publicAddress)
  const who = `This machine verifies as ${settings.hello}, with the sender ${settings.sender}.`
  return [Check.make(name, "ok", who), ...found.map((check) => told(email, check))]
}, Effect.scoped)

export const checks = ({ email }: Configuration): Effect.Effect<ReadonlyArray<Check.Check>> => {
  switch (Verifiers.chosen(email)) {
    case "none":
      return Effect.succeed([absent(email)])
    case "reoon":
      return Effect.succeed([reoon(email)])
    case "smtp":
      return Effect.catch(own(email), (error) => Effect.succeed([Check.refused(name, error)]))
  }
}
