/**
 * Handles: the names under which somebody may object or be erased: `email:mara@acme.example`, `domain:acme.example`,
 * `url:linkedin.com/in/mara`. A store that outlives the process keeps their digests only.
 */
import * as DomainName from "../value/DomainName.ts"
import * as MailAddress from "../value/MailAddress.ts"
import * as Page from "../value/Page.ts"
import * as SharedHost from "../value/SharedHost.ts"
import * as WebAddress from "../value/WebAddress.ts"
import type { Kind } from "./Erasures.ts"

export interface Handle {
  readonly kind: Kind
  readonly text: string
}

/** A mail address, a page (a web address with a path) or a domain; a sentence that says what is wrong with anything else. */
export const read = (text: string): Handle | string => {
  const trimmed = text.trim()
  if (trimmed.includes("@") && !trimmed.includes("/")) {
    return MailAddress.domain(trimmed) === null
      ? "Expected a mail address such as mara@acme.example"
      : { kind: "email", text: MailAddress.emailHandle(trimmed) }
  }
  const address = WebAddress.parse(trimmed)
  const domain = DomainName.parse(trimmed)
  if (address === null || domain === null) {
    return "Expected a mail address, a domain such as acme.example or the address of a page"
  }
  if (Page.isSection(address)) return "Expected the page of one subject: this one is a network's own"
  if (Page.key(address).includes("/")) {
    return Page.isAmbiguous(address)
      ? "Expected a page that its path alone names: what stands behind ? or # is not looked at"
      : { kind: "url", text: Page.handle(address) }
  }
  if (Page.isAmbiguous(address)) return "Expected a page with a path, or a domain without anything behind it"
  return SharedHost.shared(domain)
    ? "Expected one subject: this domain is shared by many, name an address or a page of it"
    : { kind: "domain", text: `domain:${DomainName.registrable(domain)}` }
}
