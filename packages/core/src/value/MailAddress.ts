/** Mail addresses as facts: enough syntax to tell an address from a placeholder. Delivery is `email`'s affair. */
import { parse } from "./DomainName.ts"

/** Key for comparing addresses: lower case. */
export const key = (address: string): string => address.trim().toLowerCase()

/** What needs no quotation marks (RFC 5322, 3.2.3), with the letters of RFC 6531. */
const dotString = /^(?:[\w!#$%&'*+\-/=?^`{|}~]|\P{ASCII})+(?:\.(?:[\w!#$%&'*+\-/=?^`{|}~]|\P{ASCII})+)*$/u

/** The local part without quotation marks where it needs none: both spellings are one mailbox (RFC 5321, 4.1.2). */
export const unquoted = (local: string): string => {
  if (local.length < 2 || !local.startsWith('"') || !local.endsWith('"')) return local
  const bare = local.slice(1, -1).replace(/\\(.)/g, "$1")
  return dotString.test(bare) ? bare : `"${bare.replace(/["\\]/g, "\\$&")}"`
}

/** The name under which an address may be suppressed: one for each mailbox, however its parts are written. */
export const emailHandle = (address: string): string => {
  const lower = key(address).normalize("NFC")
  const at = lower.lastIndexOf("@")
  const host = at === -1 ? null : parse(lower.slice(at + 1))
  return host === null ? `email:${lower}` : `email:${unquoted(lower.slice(0, at))}@${host}`
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
