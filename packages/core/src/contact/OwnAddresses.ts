/**
 * Which mail addresses on pages are a company's own: those of its web domain, or of a domain below or above it that was
 * registered with it. A page also shows those of its maker, of authorities, of customers.
 */
import * as DomainName from "../value/DomainName.ts"
import type { WebContact } from "./ContactFinder.ts"

/** What is put behind the finder's name where the addresses are of other domains, and may be of anybody. */
const elsewhere = "_other_domain"

const isOf = (domain: string, email: string): boolean => {
  const host = email.slice(email.lastIndexOf("@") + 1).toLowerCase()
  return host.endsWith(`.${domain}`) || DomainName.sameOwner(host, domain)
}

const says = ({ emails, facebook_url, instagram_url, linkedin_url, phones, twitter_url }: WebContact): boolean =>
  emails.length + phones.length > 0 ||
  [facebook_url, instagram_url, linkedin_url, twitter_url].some((link) => link !== null)

/**
 * The contacts with the company's own addresses alone. Where there is none on any page the others stay, and `from` says
 * that they are of other domains.
 */
export const only = (domain: string | null, contacts: ReadonlyArray<WebContact>): ReadonlyArray<WebContact> => {
  const own = contacts.map(({ emails }) => (domain === null ? [] : emails.filter((email) => isOf(domain, email))))
  const isKnown = own.some((emails) => emails.length > 0)
  return contacts.flatMap((contact, index) => {
    if (!isKnown) return [contact.emails.length === 0 ? contact : { ...contact, from: `${contact.from}${elsewhere}` }]
    const left = { ...contact, emails: own[index] ?? [] }
    return says(left) ? [left] : []
  })
}
