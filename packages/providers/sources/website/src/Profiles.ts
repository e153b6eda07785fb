/**
 * Pages of a company on networks, among the addresses that its site links to. What a site says to be its own (`rel=me`,
 * `sameAs`) comes before what it merely links to.
 *
 * Gotcha: most links to networks are buttons that share a page, single posts and people; they are told by their paths.
 */
import type { PageReader } from "@lading/core/contact"
import { Page, WebAddress } from "@lading/core/value"

type Network = keyof typeof Page.networks

const networks: ReadonlyArray<Network> = [
  "linkedin_url",
  "twitter_url",
  "facebook_url",
  "crunchbase_url",
  "instagram_url"
]

/** Paths of a company's page, without the slash at the end. */
const pathOf: Readonly<Record<Network, RegExp>> = {
  linkedin_url: /^\/(?:company|school|showcase)\/[^/]+$/,
  twitter_url: /^\/(?!(?:share|intent|home|hashtag|search|i|login|explore|privacy|tos)$)\w{1,20}$/,
  facebook_url:
    /^\/(?:(?!(?:sharer|share|dialog|plugins|login|events|groups|watch|hashtag|home|policy|privacy|help|tr|profile)(?:\.php)?$)[^/]+|pages\/[^/]+\/\d+|pg\/[^/]+|p\/[^/]+|people\/[^/]+\/\d+)$/,
  crunchbase_url: /^\/organization\/[^/]+$/,
  instagram_url: /^\/(?!(?:p|explore|accounts|reel|stories|about)$)[\w.]{1,40}$/
}

/** The page on that network, in the form in which pages are compared; `null` for what is none of a company. */
const pageOn = (network: Network, address: string): string | null => {
  const profile = WebAddress.profile(address, Page.networks[network])
  const path = profile === null ? null : (URL.parse(profile)?.pathname ?? null)
  return path !== null && pathOf[network].test(path) ? profile : null
}

/** Most addresses are on no network: those are told at a glance. */
const onNetwork = new RegExp(`(?:${Object.values(Page.networks).flat().join("|").replaceAll(".", "\\.")})/`, "i")

/** Whether the address is a page of somebody on a network, as far as can be seen. */
export const isProfile = (address: string): boolean =>
  onNetwork.test(address) && networks.some((network) => pageOn(network, address) !== null)

/** The first page on each network; what comes first counts most. */
export const links = (addresses: ReadonlyArray<string>): PageReader.SocialLinks => {
  const candidates = addresses.filter((address) => onNetwork.test(address))
  const first = (network: Network): string | null => {
    for (const address of candidates) {
      const page = pageOn(network, address)
      if (page !== null) return page
    }
    return null
  }
  return {
    linkedin_url: first("linkedin_url"),
    twitter_url: first("twitter_url"),
    facebook_url: first("facebook_url"),
    crunchbase_url: first("crunchbase_url"),
    instagram_url: first("instagram_url")
  }
}
