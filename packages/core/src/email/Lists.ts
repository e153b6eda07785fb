/**
 * What lists say of an address: disposable, free, a role, a relay, a trap. A list speaks of a domain and of all below it.
 *
 * `lists/free.json` and `lists/roles.json` are made from packages by `Lists.test.ts` (with `-u`), which holds them against
 * those. `free-email-domains` cannot be a dependency of what is published: when it is installed, it loads other lists over
 * the network in place of those that were released. `role-based-email-addresses` has no types.
 *
 * Gotchas
 * - Whoever is listed by mistake cannot get mail, so a list of ours or the operator's that allows a domain wins over a
 *   package's that does not.
 * - Spam traps are on no public list, or they would be none: only the operator's own list names any.
 */
import { disposableEmailBlocklist } from "disposable-email-domains-js"
import * as DomainName from "../value/DomainName.ts"
import { remembering } from "../value/Remembering.ts"
import type { EmailAddress } from "./EmailAddress.ts"
import type { Listed } from "./Evidence.ts"
import free from "./lists/free.json" with { type: "json" }
import * as Own from "./lists/Own.ts"
import roles from "./lists/roles.json" with { type: "json" }

/** What an operator knows beside the packages. Domains as `DomainName.parse` gives them. */
export interface Additions {
  readonly disposable?: Iterable<string>
  /** Never disposable, whatever any list says. */
  readonly allowed?: Iterable<string>
  /** Addresses as `EmailAddress.key` gives them, and domains all of whose addresses are traps. */
  readonly spamtraps?: Iterable<string>
}

export interface Lists {
  readonly of: (address: EmailAddress) => Listed
}

/** The packages that the lists are taken from, to be told with what was judged by them. */
export const versions = {
  disposable: "disposable-email-domains-js 1.26.0",
  free: "free-email-domains 1.12.6",
  role: "role-based-email-addresses 3.1.0"
} as const

/** What lists say of a domain, whoever has the address. */
interface OfDomain extends Pick<Listed, "disposable" | "free" | "relay"> {
  readonly trap: boolean
}

/** Domains that are remembered: most lists have several addresses of each. */
const REMEMBERED = 5_000

/** The domain, and those above it down to the one that somebody registered. */
const lineage = (domain: string): ReadonlyArray<string> => {
  const owner = DomainName.registrable(domain)
  const names = [domain]
  for (let name = domain; name !== owner && name.includes(".");) {
    name = name.slice(name.indexOf(".") + 1)
    names.push(name)
  }
  return names
}

/** `sales2+fair` is `sales`. */
const bare = (local: string): string => local.toLowerCase().replace(/\+.*$/, "").replace(/\d+$/, "")

/** What a local part says of who reads the mail; `null` for a person. */
const roleOf = (names: ReadonlySet<string>, local: string): Listed["role"] => {
  const name = bare(local)
  if (Own.isNever(name)) return "never"
  return names.has(name) ? "general" : null
}

/** The lists, with what an operator adds: made once, asked often. */
export const make = (additions: Additions = {}): Lists => {
  const disposable = new Set(disposableEmailBlocklist())
  const gratis = new Set([...free, ...Own.free])
  const names = new Set(roles)
  const added = new Set(additions.disposable)
  const allowed = new Set(additions.allowed)
  const traps = new Set(Array.from(additions.spamtraps ?? [], (each) => each.toLowerCase()))
  const isDisposable = (line: ReadonlyArray<string>): boolean => {
    const on = (list: ReadonlySet<string>) => line.some((name) => list.has(name))
    if (on(allowed)) return false
    return on(added) || (on(disposable) && !on(Own.relays) && !on(Own.free))
  }
  const ofDomain = remembering(REMEMBERED, (domain): OfDomain => {
    const line = lineage(domain)
    return {
      disposable: isDisposable(line),
      free: line.some((name) => gratis.has(name)),
      relay: line.some((name) => Own.relays.has(name)),
      trap: line.some((name) => traps.has(name))
    }
  })
  return {
    of: ({ domain, local }) => {
      const { disposable, free, relay, trap } = ofDomain(domain)
      const spamtrap = trap || (traps.size > 0 && traps.has(`${local.toLowerCase()}@${domain}`))
      return { disposable, free, role: roleOf(names, local), relay, spamtrap }
    }
  }
}
