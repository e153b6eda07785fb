/** Pages of people and companies: the networks that have profiles, and the one name under which a page is known. */
import * as WebAddress from "./WebAddress.ts"

/** Hosts under which a network's profiles stand, the canonical one first. */
export const networks = {
  linkedin_url: ["linkedin.com"],
  twitter_url: ["twitter.com", "x.com"],
  facebook_url: ["facebook.com", "fb.com"],
  crunchbase_url: ["crunchbase.com"],
  instagram_url: ["instagram.com"]
} as const

const all: ReadonlyArray<ReadonlyArray<string>> = Object.values(networks)

/** Most addresses are on no network: those are told at a glance. */
const onNetwork = new RegExp(`(?:^|[./])(?:${all.flat().join("|").replaceAll(".", "\\.")})/`, "i")

const canonical = (address: string): string => {
  if (!onNetwork.test(address)) return address
  for (const hosts of all) {
    const profile = WebAddress.profile(address, hosts)
    if (profile !== null) return profile
  }
  return address
}

/** The same for every spelling of an address; with a slash in it where it is a page, without where it is a whole site. */
export const key = (address: string): string => WebAddress.key(canonical(address))

/** The name under which a page may be suppressed. */
export const handle = (address: string): string => `url:${key(address)}`

/** Whether a query or a fragment could name the subject: neither counts in a key, but on networks, where they do not. */
export const isAmbiguous = (address: string): boolean => /[?#]./.test(address) && canonical(address) === address

/** Parts of networks that are nobody's: `linkedin.com/in`, `linkedin.com/profile/view`. */
export const isSection = (address: string): boolean => {
  const [host = "", ...path] = key(address).split("/")
  if (host === "linkedin.com") return path.length < 2 || path.join("/") === "profile/view"
  return host === "crunchbase.com" ? path.length < 2 : path.length < 1 && onNetwork.test(`${host}/`)
}
