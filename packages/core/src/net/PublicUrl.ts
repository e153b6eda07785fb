/**
 * Which web addresses may be asked at all, before any name is resolved: `http` and `https`, the ports of the web, no
 * user or password, and a host that is a domain name or a public IP address.
 *
 * Gotcha: a name says nothing of where it leads. Whoever connects judges each of its addresses with `PublicAddress`.
 */
import * as PublicAddress from "./PublicAddress.ts"

/** What is wrong with an address. */
export type Problem = "scheme" | "userinfo" | "port" | "host"

export interface Permitted {
  /** Ports that may be asked; those of the web by default. */
  readonly ports?: ReadonlyArray<number>
  /** Addresses that are judged public although they are not; none by default. */
  readonly address?: (address: string) => boolean
}

const webPorts: ReadonlyArray<number> = [80, 443]

/** The port that is connected to. */
export const portOf = ({ port, protocol }: URL): number =>
  port !== "" ? Number(port) : protocol === "https:" ? 443 : 80

/** The IP address that stands in the place of a name, without brackets; `null` for a name. */
export const literal = ({ hostname }: URL): string | null => {
  if (hostname.startsWith("[")) return hostname.slice(1, -1)
  // What `URL` takes for a number (`0x7f.1`, `2130706433`) it has already written with four parts.
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : null
}

/** A name of at least two labels; `localhost` and the names of an intranet are none. */
const isName = (hostname: string): boolean => /^(?!.*\.\.)[^.].*\.[^.]+\.?$/.test(hostname)

/** What is wrong with the address; `null` when it may be asked. */
export const problem = (url: URL, { address, ports = webPorts }: Permitted = {}): Problem | null => {
  if (url.protocol !== "http:" && url.protocol !== "https:") return "scheme"
  if (url.username !== "" || url.password !== "") return "userinfo"
  if (!ports.includes(portOf(url))) return "port"
  const ip = literal(url)
  if (ip === null) return isName(url.hostname) ? null : "host"
  return PublicAddress.isPublic(ip) || address?.(ip) === true ? null : "host"
}
