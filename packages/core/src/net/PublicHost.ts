/**
 * Where a host is: the addresses of its name, looked up and judged before anybody connects. Whoever asks for them connects
 * to these and no others, so that what was judged is what is connected to.
 *
 * Gotchas
 * - A host that is an IP address is never looked up, by nobody: `PublicUrl` judges it in the address itself.
 * - One address that is not public condemns the name: a name that leads to both is a trap.
 */
import { Effect, Schema } from "effect"
import { type Dns, NetAddress } from "effect/net"
import * as PublicAddress from "./PublicAddress.ts"
import * as PublicUrl from "./PublicUrl.ts"

/** Why a host has no address to connect to: it has none, nobody could say, or one of them is not public. */
export class NoPublicHost extends Schema.TaggedError<NoPublicHost>()("NoPublicHost", {
  reason: Schema.Literals(["not_found", "lookup_failed", "not_public"]),
  problem: Schema.String
}) {}

export interface Pinned {
  readonly address: string
  readonly family: 4 | 6
}

const pin = (address: NetAddress.IpAddress): Pinned => ({
  address: NetAddress.formatIp(address),
  family: NetAddress.isIpv4Address(address) ? 4 : 6
})

const trouble = ({ reason }: Dns.DnsError): NoPublicHost =>
  reason === "NotFound" || reason === "BadName"
    ? new NoPublicHost({ reason: "not_found", problem: "the name has no address" })
    : new NoPublicHost({ reason: "lookup_failed", problem: `the name cannot be looked up: ${reason}` })

/** With the dot of the root, so that no resolver looks for the name in the operator's own domains first. */
const absolute = (name: string): string => (name.endsWith(".") ? name : `${name}.`)

/** The addresses to connect to. The URL has passed `PublicUrl.problem` under the same permissions. */
export const resolve = Effect.fnUntraced(function* (
  dns: Dns.Dns["Service"],
  url: URL,
  permitted: Pick<PublicUrl.Permitted, "address"> = {}
): Effect.fn.Return<ReadonlyArray<Pinned>, NoPublicHost> {
  const literal = PublicUrl.literal(url)
  if (literal !== null) return [{ address: literal, family: literal.includes(":") ? 6 : 4 }]
  const found = (yield* Effect.mapError(dns.lookup(absolute(url.hostname)), trouble)).map(pin)
  const special = found.find(({ address }) => !PublicAddress.isPublic(address) && permitted.address?.(address) !== true)
  if (special === undefined) return found
  return yield* new NoPublicHost({ reason: "not_public", problem: "the name leads to an address that is not public" })
})
