/** What the commands print on the standard output: plain text, the same on a terminal and in a pipe. */
import { Console, Effect, Schema } from "effect"
import { resolve } from "node:path"
import type { Configuration, Provider } from "../server/Configuration.ts"
import { slotNames } from "../server/Variables.ts"
import * as Verifiers from "../server/Verifiers.ts"

/** Several lines at once, so that nothing comes between them. */
export const lines = (all: ReadonlyArray<string>): Effect.Effect<void> => Console.log(all.join("\n"))

const keysOf = ({ apiKey, byokOnly, clientId }: Provider): string =>
  byokOnly || (apiKey === null && clientId === null) ? "with the caller's own key only" : "with the platform's key"

const vendorOf = (provider: Provider): string => {
  const { adapter, byokOnly, simulated } = provider
  if (adapter === null) return "not configured"
  if (simulated) return `simulated ${adapter}${byokOnly ? ", with your own key only (any will do)" : ""}`
  return `${adapter}, ${keysOf(provider)}`
}

const widest = Math.max(...slotNames.map(({ length }) => length))

/** Each slot and who stands behind it. */
export const sources = ({ providers }: Configuration): ReadonlyArray<string> =>
  providers.map(
    (provider, index) =>
      `  ${index === 0 ? "sources" : "       "}   ${provider.slot.padEnd(widest)}  ${vendorOf(provider)}`
  )

/** Who verifies mail addresses. */
export const verifier = ({ email }: Configuration): string => {
  const chosen = Verifiers.chosen(email)
  if (chosen === "none") return "not configured"
  return email.simulated ? `${chosen}, with simulated mail hosts` : chosen
}

/** Where the data are; of a database server no more than that, since its URL holds a password. */
export const place = ({ databaseUrl, dataDir }: Configuration): string =>
  databaseUrl === null ? resolve(dataDir) : "PostgreSQL of LADING_DATABASE_URL"

export const number = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 6 })

export const credits = (amount: number): string => `${number(amount)} credits`

/** An answer: as JSON in the words of the interface and nothing else, or as lines for people. */
export const answer = <A, I>(
  schema: Schema.Codec<A, I>,
  value: A,
  json: boolean,
  shown: (value: A) => ReadonlyArray<string>
): Effect.Effect<void> =>
  json
    ? Effect.flatMap(Effect.orDie(Schema.encodeEffect(schema)(value)), (encoded) =>
        Console.log(JSON.stringify(encoded, null, 2))
      )
    : lines(shown(value))
