/** A DNS zone as data, and what it answers: a pure function of the question. */
import { domainToASCII } from "node:url"

export interface Mx {
  readonly preference: number
  /** `""` is the root, which makes it a null MX (RFC 7505). */
  readonly exchange: string
}

/** What the name server does instead of answering. */
export type DnsFault =
  | "nxdomain"
  | "servfail"
  | "refused"
  /** No answer at all. */
  | "timeout"
  /** Over UDP nothing but the wish to be asked over TCP. */
  | "truncated"

/** What is known of a name. One without any record exists, and has no answer to anything. */
export interface Name {
  readonly mx?: ReadonlyArray<Mx>
  readonly a?: ReadonlyArray<string>
  readonly aaaa?: ReadonlyArray<string>
  readonly cname?: string
  readonly ptr?: string
  readonly txt?: ReadonlyArray<string>
  readonly fault?: DnsFault
  /** The fault goes away after so many questions. */
  readonly times?: number
  /** Seconds; left out, 300. */
  readonly ttl?: number
}

/** By name; IDNs in either spelling. `*.example` is what is so of every other name below `example`, `*` of all others. */
export type Zone = Readonly<Record<string, Name>>

export type DnsRecord = { readonly name: string; readonly ttl: number } & (
  | { readonly type: "MX"; readonly priority: number; readonly exchange: string }
  | { readonly type: "A" | "AAAA"; readonly address: string }
  | { readonly type: "CNAME" | "PTR"; readonly domain: string }
  | { readonly type: "TXT"; readonly data: string }
)

/** A chain of aliases that is longer is cut, as resolvers do. */
const LONGEST_CHAIN = 8

const ascii = (name: string): string => domainToASCII(name) || name.toLowerCase()

/** The name that an address has its PTR record at. */
export const reverse = (address: string): string => `${address.split(".").toReversed().join(".")}.in-addr.arpa`

export class Records {
  readonly #names: Map<string, Name>
  readonly #left = new Map<string, number>()

  constructor(zone: Zone) {
    this.#names = new Map(Object.entries(zone).map(([name, known]) => [ascii(name), known]))
  }

  set(name: string, known: Name | null): void {
    this.#left.delete(ascii(name))
    if (known === null) this.#names.delete(ascii(name))
    else this.#names.set(ascii(name), known)
  }

  /** The fault that is due for a question about the name; `null`: none. */
  fault(name: string): DnsFault | null {
    const key = name.toLowerCase()
    const known = this.#names.get(key) ?? this.#other(key)
    if (known === undefined) return "nxdomain"
    if (known.fault === undefined) return null
    if (known.times === undefined) return known.fault
    const left = this.#left.get(key) ?? known.times
    this.#left.set(key, left - 1)
    return left > 0 ? known.fault : null
  }

  #other(name: string): Name | undefined {
    return this.#names.get(`*${name.slice(name.lastIndexOf("."))}`) ?? this.#names.get("*")
  }

  answer(name: string, type: string): ReadonlyArray<DnsRecord> {
    const found: Array<DnsRecord> = []
    let at = name
    for (let step = 0; step < LONGEST_CHAIN; step++) {
      const known = this.#names.get(at.toLowerCase()) ?? this.#other(at.toLowerCase())
      if (known === undefined) return found
      const { cname, ttl = 300 } = known
      if (cname === undefined || type === "CNAME") return [...found, ...recordsOf(at, known, type)]
      found.push({ name: at, ttl, type: "CNAME", domain: ascii(cname) })
      at = ascii(cname)
    }
    return found
  }
}

const recordsOf = (name: string, known: Name, type: string): ReadonlyArray<DnsRecord> => {
  const { a = [], aaaa = [], cname, mx = [], ptr, ttl = 300, txt = [] } = known
  switch (type) {
    case "MX":
      return mx.map(({ exchange, preference }) => ({
        name,
        ttl,
        type,
        priority: preference,
        exchange: ascii(exchange)
      }))
    case "A":
      return a.map((address) => ({ name, ttl, type, address }))
    case "AAAA":
      return aaaa.map((address) => ({ name, ttl, type, address }))
    case "CNAME":
      return cname === undefined ? [] : [{ name, ttl, type, domain: ascii(cname) }]
    case "PTR":
      return ptr === undefined ? [] : [{ name, ttl, type, domain: ascii(ptr) }]
    case "TXT":
      return txt.map((data) => ({ name, ttl, type, data }))
    default:
      return []
  }
}
