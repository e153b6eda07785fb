/**
 * What somebody meant who wrote `gmial.com`: the nearest of the domains that most private mail goes to. Advice for a
 * reader, shown beside the answer as `did_you_mean`; it changes no status.
 *
 * Gotcha: only of a domain that takes no mail. `gmx.net` and `mac.com` are near to others too, and right.
 */
import * as EditDistance from "../value/EditDistance.ts"
import { format, type EmailAddress } from "./EmailAddress.ts"
import type { EmailResult } from "./EmailResult.ts"
import type { Evidence } from "./Evidence.ts"

/** Of two that are equally near the earlier is meant: roughly by how many write to them. */
export const known: ReadonlyArray<string> = (
  "gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com googlemail.com gmx.de web.de " +
  "t-online.de orange.fr wanadoo.fr free.fr laposte.net sfr.fr yahoo.co.uk yahoo.co.jp yahoo.co.in yahoo.fr yahoo.de " +
  "yahoo.com.br hotmail.co.uk hotmail.fr hotmail.it hotmail.es live.co.uk outlook.fr outlook.de libero.it virgilio.it " +
  "mail.ru yandex.ru rambler.ru qq.com 163.com 126.com sina.com naver.com daum.net hanmail.net proton.me " +
  "protonmail.com fastmail.com zoho.com gmx.net gmx.com freenet.de comcast.net verizon.net att.net sbcglobal.net " +
  "bellsouth.net btinternet.com me.com mac.com ymail.com rediffmail.com uol.com.br bol.com.br terra.com.br seznam.cz " +
  "wp.pl onet.pl interia.pl ukr.net bigpond.com shaw.ca"
).split(" ")

/** Short names are near to everything: one mistake in each four letters. */
const most = (domain: string): number => Math.min(2, Math.floor(domain.length / 4))

/** The domain that was meant; `null` for one of them, and for what is near to none. */
export const meant = (domain: string): string | null => {
  let best: string | null = null
  let least = 3
  for (const each of known) {
    const mistakes = EditDistance.upToTwo(domain, each)
    if (mistakes === 0) return null
    if (mistakes >= least || mistakes > most(each)) continue
    best = each
    least = mistakes
  }
  return best
}

const takesNone = new Set(["NoDomain", "NoHost", "NullMx"])

/** The address that was meant; `null` where the domain takes mail, where that is not known, and where none is near. */
export const of = (address: EmailAddress, { domain }: Evidence): string | null => {
  if (!takesNone.has(domain._tag)) return null
  const better = meant(address.domain)
  return better === null ? null : format({ ...address, domain: better })
}

/** The same of an answer, which says of a domain whether it has mail hosts and whether these take mail. */
export const ofResult = ({ domain, mx_accepts_mail, mx_records, username }: EmailResult): string | null => {
  if (mx_records !== false || mx_accepts_mail) return null
  const better = meant(domain)
  return better === null ? null : `${username}@${better}`
}
