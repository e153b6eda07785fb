/** What no package knows, or none of them right. Each list is short, so that somebody can read it. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/**
 * Services that hand mail on under names that they make up for their users. Those are read by somebody for years, so they
 * are not disposable.
 */
export const relays = words(
  "duck.com mozmail.com privaterelay.appleid.com simplelogin.com simplelogin.co simplelogin.fr slmail.me slmails.com " +
    "aleeas.com 8alias.com 8shield.net dralias.com passmail.net passmail.com passinbox.com passfwd.com anonaddy.com " +
    "anonaddy.me addy.io addymail.com erine.email forwardemail.net cloaked.id opayq.com"
)

/** Free mailboxes that the package lacks. */
export const free = words(
  "hey.com mailbox.org tutanota.com tuta.com tutamail.com keemail.me tin.it talktalk.net startmail.com disroot.org " +
    "riseup.net zohomail.eu zohomail.in murena.io e.email systemli.org autistici.org airmail.cc dismail.de " +
    "kolabnow.com soverin.net vivaldi.net onmail.com i.softbank.jp biz.ezweb.ne.jp jcom.home.ne.jp vk.com " +
    "internet.ru vip.163.com vip.qq.com"
)

/** Companies and machines among the free ones of the package. */
export const notFree = words("alibaba.com invalid.com dnsmadeeasy.com angelfire.com")

/** Names of the package that are years, places, persons, pairs of initials, or nothing. */
export const noRoles = words(
  "2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027 2028 2029 2030 123 aaa abc asd asdasd asdf " +
    "berlin boston chicago china denver europe france india montreal newyork northamerica ny nyc paris " +
    "sanfrancisco seattle sf sfo singapore sydney uk us usa latam global alexa alla gardner angels women ladies friends " +
    "fun football lunch random smile sport hola ca la lt mt ta captain captains mayor pastor geeks hackers rockstars " +
    "caltrain test testing testgroup house myplex plex plex.tv ideas home homes mobile hotel church none"
)

/** Mailboxes that nobody reads, or that only complaints belong into (RFC 2142). */
const machines = words(
  "postmaster abuse mailer-daemon mailerdaemon maildaemon mailer daemon nobody noemail nospam null devnull root spam phish " +
    "phishing fbl unsubscribe undisclosed-recipients listserv listproc majordomo mailman uucp usenet nntp " +
    "arin-abuse ripe-abuse noresponse hit-reply no-replay no.replay"
)

const unread = /(?:^|[-._])(?:no|do[-._]?not)[-._]?reply(?:$|[-._])|^bounces?(?:$|[-._])/

/** Whether no offer should ever be sent there. */
export const isNever = (name: string): boolean => machines.has(name) || unread.test(name)
