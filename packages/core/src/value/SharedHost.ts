/**
 * Hosts on which everybody can have a mailbox or a page, so that they say nothing of whom they belong to. Short on
 * purpose: those that sources really give for a company.
 */
import * as DomainName from "./DomainName.ts"
import * as WebAddress from "./WebAddress.ts"

const mailHosts = new Set(
  (
    "gmail.com googlemail.com icloud.com me.com mac.com aol.com msn.com ymail.com rocketmail.com proton.me " +
    "protonmail.com pm.me mail.com email.com fastmail.com hey.com zoho.com tutanota.com web.de t-online.de freenet.de " +
    "gmx.net orange.fr wanadoo.fr free.fr laposte.net libero.it virgilio.it mail.ru inbox.ru bk.ru list.ru ya.ru " +
    "qq.com foxmail.com 163.com 126.com yeah.net sina.com naver.com daum.net hanmail.net rediffmail.com uol.com.br " +
    "bol.com.br seznam.cz wp.pl o2.pl onet.pl interia.pl comcast.net verizon.net att.net sbcglobal.net btinternet.com"
  ).split(" ")
)

/** Hosts of files that stand in everybody's answers: logos, pictures, scripts. */
const stores = new Set(
  "licdn.com twimg.com fbcdn.net cdninstagram.com gravatar.com amazonaws.com googleusercontent.com gstatic.com".split(
    " "
  )
)

/** Whether many share the domain, so that it names nobody: mailboxes, profiles, files, or a public suffix. */
export const shared = (domain: string): boolean => {
  const owner = DomainName.registrable(domain)
  return mail(domain) || networks.has(owner) || stores.has(owner) || DomainName.isPublicSuffix(owner)
}

/** These have a domain in many countries. */
const national = /^(?:yahoo|hotmail|outlook|live|gmx|yandex)\.(?:com|(?:com?\.)?[a-z]{2})$/

const networks = new Set(
  (
    "linkedin.com facebook.com fb.com twitter.com x.com instagram.com youtube.com tiktok.com crunchbase.com xing.com " +
    "pinterest.com github.com medium.com linktr.ee t.me wa.me whatsapp.com weibo.com vk.com"
  ).split(" ")
)

/** Whether mailboxes of this domain are free to everybody. */
export const mail = (domain: string): boolean => {
  const owner = DomainName.registrable(domain)
  return mailHosts.has(owner) || national.test(owner)
}

/** The domain of a web site; `null` for none, and for a page on a network, which is not the site of whom it is about. */
export const ownSite = (text: string): string | null => {
  const domain = DomainName.parse(text)
  if (domain === null || !networks.has(DomainName.registrable(domain))) return domain
  const url = WebAddress.parse(text)
  return url !== null && /^https?:\/\/[^/?#]+\/?$/.test(url) ? domain : null
}
