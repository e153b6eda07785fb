/** Mail addresses as facts: enough syntax to tell an address from a placeholder. Delivery is `email`'s affair. */
import { parse } from "./DomainName.ts"

/** Key for comparing addresses: lower case. */
export const key = (address: string): string => address.trim().toLowerCase()

/** The name under which an address may be suppressed: one for each mailbox, however its domain is written. */
export const emailHandle = (address: string): string => {
  const lower = key(address).normalize("NFC")
  const at = lower.lastIndexOf("@")
  const host = at === -1 ? null : parse(lower.slice(at + 1))
  return host === null ? `email:${lower}` : `email:${lower.slice(0, at)}@${host}`
}

/** The domain of something that looks like an address, else `null`. */
export const domain = (address: string): string | null => {
  const trimmed = address.trim()
  const at = trimmed.lastIndexOf("@")
  const local = trimmed.slice(0, at)
  if (at < 1 || local.length > 64 || /[\s"(),:;<>@[\]\\]/.test(local) || /^\.|\.\.|\.$/.test(local)) return null
  const host = trimmed.slice(at + 1)
  return /[/:@\s]/.test(host) ? null : parse(host)
}
