/** How the verifier is set up. Whoever verifies asks strangers' hosts in their own name, so there is no default for it. */
import { parse } from "tldts"
import type { Proxy } from "./Dialing.ts"
import type * as MailDns from "./MailDns.ts"
import type { Changes, Limits } from "./Provider.ts"
import type { Time } from "./Time.ts"

export interface Settings {
  /** Our name: one that leads to our address, to which our address leads back. */
  readonly hello: string
  /** Address at a domain of ours that takes mail, always the same: greylists remember it. */
  readonly sender: string
  /** Another than 25 is for tests: no other port of a mail host answers for its recipients. */
  readonly port?: number
  readonly proxy?: Proxy
  readonly localAddress?: string
  readonly dns?: MailDns.Options
  readonly time?: Partial<Time>
  /** Instead of those of the group's provider, for every group. */
  readonly limits?: Partial<Limits>
  /** The same by provider, before `limits`: for senders that some of them know. */
  readonly providerLimits?: Changes
  /** Reserved top-level domains that the operator's own name servers know (`test`). Others are decided without DNS. */
  readonly zones?: ReadonlyArray<string>
  /** Connections that one list may have, to all groups together. */
  readonly connections?: number
  /** Names of hosts that tell whether port 25 is open; none: it is taken for open. */
  readonly portHosts?: ReadonlyArray<string>
}

/** RFC 2606 and RFC 6761. */
const RESERVED = new Set(["invalid", "test", "example", "localhost"])
const RESERVED_DOMAINS = ["example.com", "example.net", "example.org"]

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i

const isName = (name: string): boolean =>
  name.length <= 253 && name.includes(".") && name.split(".").every((label) => LABEL.test(label))

/** Names of others, which some verifiers claim by default, and whose users were put on block lists for it. */
const others = new Set([
  "gmail.com",
  "googlemail.com",
  "google.com",
  "outlook.com",
  "hotmail.com",
  "yahoo.com",
  "icloud.com"
])

const helloProblem = (hello: string): string | null => {
  if (!isName(hello) || /^[\d.]+$/.test(hello))
    return `HELO: "${hello}" is no full name of a host; localhost is nobody's`
  if (others.has(parse(hello).domain ?? hello)) return `HELO: ${hello} is not yours; hosts block those who claim it`
  return null
}

const SENDER = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@([^@]+)$/

const senderProblem = (sender: string): string | null => {
  const domain = SENDER.exec(sender)?.[1] ?? ""
  if (!isName(domain)) return "MAIL FROM: an address at a domain of yours is needed"
  if (others.has(domain.toLowerCase())) return `MAIL FROM: ${domain} is not yours`
  return null
}

/** What is wrong with the names that mail hosts are told; `null` where nothing is. */
export const problem = ({ hello, sender }: Settings): string | null => helloProblem(hello) ?? senderProblem(sender)

/** Whether a domain can be nobody's, so that no name server is asked. */
export const isReserved = (domain: string, { zones = [] }: Settings): boolean => {
  const top = domain.slice(domain.lastIndexOf(".") + 1)
  if (zones.some((zone) => domain === zone || domain.endsWith(`.${zone}`))) return false
  return RESERVED.has(top) || RESERVED_DOMAINS.some((name) => domain === name || domain.endsWith(`.${name}`))
}
