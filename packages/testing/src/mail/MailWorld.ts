/**
 * Domains with mail, from a table: name servers that know them, and hosts that answer for them.
 *
 * A domain gets a host of its own, `mx.<domain>`, unless it names the host that it is served by.
 */
import { Effect, type Scope } from "effect"
import type { Domain } from "./Judgement.ts"
import { type HostSpec, type MailHosts, type Options, start as startHosts } from "./MailHosts.ts"
import { type NameServer, start as startNameServer } from "./NameServer.ts"
import type { Persona } from "./Persona.ts"
import type { PersonaName } from "./Personas.ts"
import { reverse, type Zone } from "./Zone.ts"

export interface WorldDomain extends Domain {
  /** Name of the host that serves it: one of `hosts`. */
  readonly host?: string
}

export interface WorldSpec {
  /** A host per name, several domains at each. */
  readonly hosts?: Readonly<Record<string, PersonaName | Persona>>
  /** The persona of a domain with a host of its own is that host's, else it is the domain's way to answer RCPT. */
  readonly domains: Readonly<Record<string, WorldDomain>>
  /** What else is known of names, beside (and before) what follows from the domains. */
  readonly zone?: Zone
}

export interface MailWorld {
  readonly dns: NameServer
  readonly smtp: MailHosts
  /** Address of a host by its name, `mx.<domain>` for a domain's own. */
  readonly address: (host: string) => string
}

/** Addresses of one /24 that are used. */
const PER_BLOCK = 250

/** The `n`th address, from 127.20.0.1 on. */
export const addressOf = (n: number): string =>
  `127.${20 + Math.floor(n / PER_BLOCK / PER_BLOCK)}.${Math.floor(n / PER_BLOCK) % PER_BLOCK}.${(n % PER_BLOCK) + 1}`

/** Hosts and zone of a specification: what `start` starts. */
export const plan = ({ domains, hosts = {}, zone = {} }: WorldSpec) => {
  const served = new Map<string, Record<string, Domain>>(Object.keys(hosts).map((name) => [name, {}]))
  const personas = new Map<string, PersonaName | Persona>(Object.entries(hosts))
  const names: Record<string, Zone[string]> = {}
  for (const [domain, { host, mailboxes = {}, persona }] of Object.entries(domains)) {
    const name = host ?? `mx.${domain}`
    names[domain] = { mx: [{ preference: 10, exchange: name }] }
    const own = host === undefined
    if (own && persona !== undefined) personas.set(name, persona)
    const at = served.get(name) ?? {}
    at[domain] = { mailboxes, ...(own || persona === undefined ? {} : { persona }) }
    served.set(name, at)
  }
  const specs = [...served].map(([name, at], n): HostSpec => {
    const address = addressOf(n)
    names[name] = { a: [address] }
    names[reverse(address)] = { ptr: name }
    return { name, address, domains: at, persona: personas.get(name) ?? "strict" }
  })
  return { specs, zone: { ...names, ...zone } }
}

/** Starts name server and hosts; they stop with the scope. */
export const start = Effect.fnUntraced(function* (
  spec: WorldSpec,
  options?: Options
): Effect.fn.Return<MailWorld, never, Scope.Scope> {
  const { specs, zone } = plan(spec)
  const dns = yield* startNameServer(zone)
  const smtp = yield* startHosts(specs, options)
  const addresses = new Map(specs.map(({ address, name }) => [name, address]))
  return {
    dns,
    smtp,
    address: (host) => {
      const address = addresses.get(host)
      if (address === undefined) throw new Error(`no host ${host}`)
      return address
    }
  }
})
