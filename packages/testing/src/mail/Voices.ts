/**
 * What kinds of servers say to RCPT. The codes are those that the kinds of server are known for; the words are short ones
 * in the manner of theirs, none is a quotation.
 */
import type { Voice } from "./Persona.ts"

export const postfix: Voice = {
  exists: "250 2.1.5 Ok",
  unknown: "550 5.1.1 <{address}>: Recipient address rejected: User unknown in virtual mailbox table",
  disabled: "550 5.2.1 <{address}>: Recipient address rejected: this mailbox is disabled",
  full: "452 4.2.2 <{address}>: Recipient address rejected: mailbox is full",
  busy: "450 4.2.1 <{address}>: Recipient address rejected: user is receiving mail too quickly",
  sender_refused: "554 5.7.1 Service unavailable; Client host [{client}] blocked using dnsbl.test",
  not_here: "554 5.7.1 <{address}>: Relay access denied"
}

/** RFC 5321, without enhanced codes (4.2.3). */
export const plain: Voice = {
  exists: "250 OK",
  unknown: "550 No such user here",
  disabled: "550 Mailbox disabled",
  full: "552 Requested mail action aborted: exceeded storage allocation",
  busy: "450 Mailbox busy, receiving mail too quickly",
  sender_refused: "550 Mail from your address is blocked by local policy",
  not_here: "551 User not local"
}

export const google: Voice = {
  exists: "250 2.1.5 OK test-1 - gsmtp",
  unknown: [
    "550-5.1.1 This account does not exist. Look at the address again,",
    "550-5.1.1 or see",
    "550 5.1.1  https://support.mail.test/?p=NoSuchUser test-1 - gsmtp"
  ],
  disabled: [
    "550-5.2.1 This account is disabled.",
    "550 5.2.1  https://support.mail.test/?p=DisabledUser test-1 - gsmtp"
  ],
  full: [
    "452-4.2.2 The recipient's inbox is out of storage space.",
    "452 4.2.2  https://support.mail.test/?p=OverQuotaTemp test-1 - gsmtp"
  ],
  busy: [
    "450-4.2.1 This user is receiving mail too quickly.",
    "450 4.2.1  https://support.mail.test/?p=ReceivingRate test-1 - gsmtp"
  ],
  sender_refused: "550 5.7.1 [{client}] Very low reputation of the sending IP. test-1 - gsmtp",
  not_here: "550 5.7.1 Relaying denied. test-1 - gsmtp"
}

export const exchange: Voice = {
  exists: "250 2.1.5 Recipient OK",
  unknown: "550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [mx.test]",
  disabled: "550 5.7.504 [{address}]: Recipient is banned",
  full: "550 5.2.2 Mailbox full",
  busy: "554 5.2.121 Recipient's per hour message receive limit exceeded",
  sender_refused: "550 5.7.606 Access denied, banned sending IP [{client}]",
  not_here: "550 5.7.64 TenantAttribution; Relay Access Denied"
}

export const yahoo: Voice = {
  exists: "250 recipient <{address}> ok",
  unknown: "552 1 Requested mail action aborted, mailbox not found",
  disabled: "554 delivery error: dd This mailbox is disabled (554.30)",
  full: "554 delivery error: dd This account is over quota",
  busy: "450 User is receiving mail too quickly",
  sender_refused: "553 5.7.1 [BL21] Connections will not be accepted from {client}",
  not_here: "550 relaying denied for <{address}>"
}

export const mimecast: Voice = {
  exists: "250 2.1.5 Recipient accepted",
  unknown: "550 Invalid Recipient",
  disabled: "550 Invalid Recipient",
  full: "452 Mailbox full",
  busy: "451 Account service is temporarily unavailable",
  sender_refused: "550 Administrative prohibition - envelope blocked",
  not_here: "554 Open relay not allowed"
}

/** ISO 8859-1 letters, enhanced codes that say one thing and words that say another. */
export const french: Voice = {
  exists: "250 2.1.5 Destinataire accept\u00e9",
  unknown: "550 5.1.1 Adresse d'au moins un destinataire invalide: bo\u00eete inconnue",
  disabled: "550 5.2.1 Bo\u00eete d\u00e9sactiv\u00e9e",
  full: "552 5.1.1 Bo\u00eete du destinataire pleine",
  busy: "450 4.2.1 Bo\u00eete occup\u00e9e",
  sender_refused: "550 5.7.1 Adresse IP {client} bloqu\u00e9e",
  not_here: "554 5.7.1 Relais refus\u00e9"
}

/** Codes, and not a word. */
export const silent: Voice = {
  exists: "250",
  unknown: "550",
  disabled: "550",
  full: "552",
  busy: "450",
  sender_refused: "554",
  not_here: "551"
}
