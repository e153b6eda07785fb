/**
 * Whether a domain's SPF record (RFC 7208) lets an address send for it, as far as that can be said without a message:
 * macros and `exists` cannot, and `ptr` should not. Read for our own sender only.
 */
import { Result } from "effect"
import { IpInterface, IpNetwork, NetAddress } from "effect/net"

export interface Lookups {
  readonly txt: (name: string) => Promise<ReadonlyArray<string>>
  readonly addresses: (name: string) => Promise<ReadonlyArray<string>>
  readonly mx: (name: string) => Promise<ReadonlyArray<string>>
}

/** `pass` and `fail` of the record; `none` where there is no record; `unknown` where it cannot be said. */
export type Said = "pass" | "fail" | "none" | "unknown"

/** RFC 7208 (4.6.4) allows ten lookups; deeper is not looked. */
const DEPTH = 10

/** Records give a network by any address in it. */
const covers = (network: string, address: string): boolean => {
  const parsed = IpInterface.fromString(network)
  const ip = NetAddress.ipFromInput(address)
  if (Result.isFailure(parsed) || Result.isFailure(ip)) return false
  return IpNetwork.contains(IpNetwork.fromInterface(parsed.success), ip.success)
}

/** Whether one mechanism fits; `null` where that cannot be said. */
const fits = async (term: string, domain: string, address: string, lookups: Lookups, depth: number) => {
  const [, kind = "", value = ""] = /^([a-z0-9]+)[:=]?(.*)$/i.exec(term) ?? []
  if (value.includes("%")) return null
  const [name = "", length = ""] = value.replace(/^\//, `${domain}/`).split("/")
  const inside = (one: string) => covers(length === "" ? one : `${one}/${length}`, address)
  const target = name === "" ? domain : name
  switch (kind.toLowerCase()) {
    case "all":
      return true
    case "ip4":
    case "ip6":
      return covers(value, address)
    case "a":
      return (await lookups.addresses(target)).some(inside)
    case "mx": {
      const hosts = await Promise.all((await lookups.mx(target)).map(lookups.addresses))
      return hosts.flat().some(inside)
    }
    case "include": {
      const said = await evaluate(target, address, lookups, depth - 1)
      return said === "unknown" || said === "none" ? null : said === "pass"
    }
    default:
      return null
  }
}

export const evaluate = async (domain: string, address: string, lookups: Lookups, depth = DEPTH): Promise<Said> => {
  if (depth === 0) return "unknown"
  const record = (await lookups.txt(domain)).find((text) => /^v=spf1(?: |$)/i.test(text))
  if (record === undefined) return "none"
  const terms = record.trim().split(/\s+/).slice(1)
  for (const term of terms.filter((each) => !/^(?:redirect|exp)=/i.test(each))) {
    const sign = /^[-+~?]/.exec(term)?.[0] ?? "+"
    // oxlint-disable-next-line no-await-in-loop
    const found = await fits(term.replace(/^[-+~?]/, ""), domain, address, lookups, depth)
    if (found === null) return "unknown"
    if (found) return sign === "+" ? "pass" : "fail"
  }
  const redirect = terms.find((each) => /^redirect=/i.test(each))
  return redirect === undefined ? "fail" : evaluate(redirect.slice("redirect=".length), address, lookups, depth - 1)
}
