/**
 * Whether an IP address is on the public internet: the judgement that stands before every connection whose target
 * somebody else has chosen (a company's site, a webhook, the page of a search result). Pure; who connects resolves the
 * name first, judges every address it has, and connects to one of those and no other.
 *
 * The ranges are those of the IANA registries of special-purpose addresses (RFC 6890 and its successors) that are not
 * globally reachable, and what is not unicast.
 *
 * Gotchas
 * - Of IPv6 only 2000::/3 is public; everything else is refused, known or not.
 * - An IPv4 address inside an IPv6 one is what is connected to in the end, so it is judged in its place (mapped, NAT64).
 *   6to4 and Teredo relays are gone: refused.
 * - What cannot be parsed is not public.
 */
import { Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** What an address is kept for, where it is not public. */
export type Special =
  | "unspecified"
  | "this_network"
  | "loopback"
  | "private"
  | "shared"
  | "link_local"
  | "documentation"
  | "benchmarking"
  | "multicast"
  | "broadcast"
  | "reserved"
  | "unique_local"
  | "tunnel"
  | "no_address"

type Range = readonly [network: IpNetwork.IpNetwork, special: Special]

const table = (ranges: ReadonlyArray<readonly [string, Special]>): ReadonlyArray<Range> =>
  ranges.map(([network, special]) => [IpNetwork.fromStringUnsafe(network), special])

const specialIpv4 = table([
  ["0.0.0.0/32", "unspecified"],
  ["0.0.0.0/8", "this_network"],
  ["127.0.0.0/8", "loopback"],
  ["10.0.0.0/8", "private"],
  ["172.16.0.0/12", "private"],
  ["192.168.0.0/16", "private"],
  // Carrier-grade NAT; some clouds answer for their own metadata here.
  ["100.64.0.0/10", "shared"],
  // Where clouds answer for their own metadata, credentials among it.
  ["169.254.0.0/16", "link_local"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "documentation"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["192.31.196.0/24", "reserved"],
  ["192.52.193.0/24", "reserved"],
  ["192.88.99.0/24", "tunnel"],
  ["192.175.48.0/24", "reserved"],
  ["198.18.0.0/15", "benchmarking"],
  ["224.0.0.0/4", "multicast"],
  ["255.255.255.255/32", "broadcast"],
  ["240.0.0.0/4", "reserved"]
])

const specialIpv6 = table([
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["fe80::/10", "link_local"],
  ["fc00::/7", "unique_local"],
  ["ff00::/8", "multicast"],
  // Teredo, 6to4.
  ["2001::/32", "tunnel"],
  ["2002::/16", "tunnel"],
  ["2001:2::/48", "benchmarking"],
  ["2001:db8::/32", "documentation"],
  ["3fff::/20", "documentation"],
  // Protocol assignments: anycast services, ORCHID, drone remote identification.
  ["2001::/23", "reserved"],
  ["2620:4f:8000::/48", "reserved"]
])

const global = IpNetwork.fromStringUnsafe("2000::/3")

/** The well-known prefix of NAT64, behind which IPv6-only networks show all of IPv4 (RFC 6052). */
const nat64 = IpNetwork.fromStringUnsafe("64:ff9b::/96")

const lookUp = (ranges: ReadonlyArray<Range>, address: NetAddress.IpAddress): Special | null =>
  ranges.find(([network]) => IpNetwork.contains(network, address))?.[1] ?? null

/** The IPv4 address that an IPv6 one stands for; `null` where it stands for itself. */
const embedded = (address: NetAddress.Ipv6Address): NetAddress.Ipv4Address | null => {
  const mapped = NetAddress.fromIpv4Mapped(address)
  if (Option.isSome(mapped)) return mapped.value
  if (!IpNetwork.contains(nat64, address)) return null
  const [high = 0, low = 0] = NetAddress.ipv6ToSegments(address).slice(6)
  return Result.getOrNull(NetAddress.ipv4FromOctets([high >> 8, high & 0xff, low >> 8, low & 0xff]))
}

/** What the address is kept for; `null` for one that is public. Text that is no address is never public. */
export const special = (address: NetAddress.IpAddressInput): Special | null => {
  const parsed = NetAddress.ipFromInput(address)
  if (Result.isFailure(parsed)) return "no_address"
  const ip = parsed.success
  if (NetAddress.isIpv4Address(ip)) return lookUp(specialIpv4, ip)
  const inside = embedded(ip)
  if (inside !== null) return lookUp(specialIpv4, inside)
  return lookUp(specialIpv6, ip) ?? (IpNetwork.contains(global, ip) ? null : "reserved")
}

export const isPublic = (address: NetAddress.IpAddressInput): boolean => special(address) === null
