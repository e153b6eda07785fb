/** What can be said of the settings without asking anybody. */
import { type Configuration, ignoredKeys } from "../../server/Configuration.ts"
import * as Check from "./Check.ts"

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.")

const open = ({ host, metricsKey }: Configuration): ReadonlyArray<string> =>
  isLoopback(host) || metricsKey !== null
    ? []
    : [`LADING_HOST is ${host} and LADING_METRICS_KEY is not set: whoever reaches the server can read /metrics`]

const insecure = ({ webhookInsecure }: Configuration): ReadonlyArray<string> =>
  webhookInsecure
    ? [
        "LADING_WEBHOOK_INSECURE is on: whoever has a key can have the server call what it reaches; for development only"
      ]
    : []

const reaching = ({ email }: Configuration): ReadonlyArray<string> =>
  email.privateHosts
    ? ["LADING_SMTP_PRIVATE is on: whoever may verify can have the server connect to what it reaches"]
    : []

export const checks = (configuration: Configuration): ReadonlyArray<Check.Check> => {
  const { providers, warnings } = configuration
  const all = [
    ...warnings,
    ...ignoredKeys(providers),
    ...open(configuration),
    ...insecure(configuration),
    ...reaching(configuration)
  ]
  return all.length === 0
    ? [Check.make("settings", "ok", "Every variable that is set is known and can be read.")]
    : all.map((warning) => Check.make("settings", "warning", warning.endsWith("?") ? warning : `${warning}.`))
}
