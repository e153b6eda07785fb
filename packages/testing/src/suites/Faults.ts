/**
 * What the suites of adapters do to a vendor, and what they look for afterwards: the faults with the errors that they must
 * become, credentials that are wrong, and whether a secret is to be seen anywhere.
 */
import type { Source, SourceError } from "@lading/core/waterfall"
import { Redacted, Schedule } from "effect"
import type { Fault } from "../simulator/Simulator.ts"

type Tag = SourceError.SourceError["_tag"]

/** Each fault, and the error that it must become. */
const failures: ReadonlyArray<readonly [Fault, Tag]> = [
  [{ _tag: "WrongKey" }, "Unauthorized"],
  [{ _tag: "QuotaExhausted" }, "QuotaExhausted"],
  [{ _tag: "RateLimited", retryAfterSeconds: 7 }, "RateLimited"],
  [{ _tag: "RateLimited", retryAfterSeconds: null }, "RateLimited"],
  [{ _tag: "ServerError", status: 500 }, "Unavailable"],
  [{ _tag: "ServerError", status: 503 }, "Unavailable"],
  [{ _tag: "Drop" }, "Unavailable"],
  [{ _tag: "TruncatedJson" }, "Unavailable"],
  [{ _tag: "MalformedJson" }, "InvalidResponse"],
  [{ _tag: "WrongShape" }, "InvalidResponse"]
]

/** Those that can happen to whoever has this credential: without one, none can be refused or used up. */
export const faultsOf = ({ _tag }: Source.Credential): typeof failures =>
  _tag === "None"
    ? failures.filter(([fault]) => fault._tag !== "WrongKey" && fault._tag !== "QuotaExhausted")
    : failures

export const label = (fault: Fault): string =>
  Object.values(fault)
    .map((part) => String(part))
    .join(" ")

export const tick = Schedule.spaced(2)

export const secretsOf = (credential: Source.Credential): ReadonlyArray<string> => {
  switch (credential._tag) {
    case "None":
      return []
    case "ApiKey":
      return [Redacted.value(credential.key)]
    case "Client":
      return [Redacted.value(credential.secret)]
  }
}

export const misspelt = (credential: Source.Credential): Source.Credential => {
  switch (credential._tag) {
    case "None":
      return credential
    case "ApiKey":
      return { ...credential, key: Redacted.make("not-the-key") }
    case "Client":
      return { ...credential, secret: Redacted.make("not-the-secret") }
  }
}

/** Whether the text is anywhere in the value, in a key, or in a message, however deep. */
export const mentions = (value: unknown, text: string, seen: Set<unknown> = new Set()): boolean => {
  if (typeof value === "string") return value.includes(text)
  if (typeof value !== "object" || value === null || seen.has(value)) return false
  seen.add(value)
  if (value instanceof Map) return [...value].some((entry) => mentions(entry, text, seen))
  if (value instanceof Set) return [...value].some((entry) => mentions(entry, text, seen))
  return Reflect.ownKeys(value).some(
    (key) => mentions(key, text, seen) || mentions(Reflect.get(value, key), text, seen)
  )
}
