/**
 * The mail hosts that tests ask, by name: each row is one way in which servers behave, most of them seen in the wild.
 */
import type { Persona } from "./Persona.ts"
import * as Voices from "./Voices.ts"

const MINUTE = 60_000

const grey = (wait: number): NonNullable<Persona["greylist"]> => ({
  wait,
  reply: "450 4.2.0 <{address}>: Recipient address rejected: Greylisted, see https://postgrey.test/help/{domain}.html"
})

const table = {
  strict: { about: "Knows its mailboxes and says so, in the words of Postfix." },
  plain: { about: "The same with the bare codes of RFC 5321.", voice: Voices.plain, extensions: ["PIPELINING"] },
  accept_all: { about: "Takes every name, known or not.", accepts: "all" },
  refused: { about: "Nobody listens: connections are refused.", listens: false },

  random_first_trap: {
    about: "Refuses everybody in a connection once it was asked for a name that it does not know.",
    afterRefusal: "550 5.7.1 Too many unknown recipients, go away"
  },
  closes_after_refusal: { about: "Closes the connection after the first 5xx.", afterRefusal: "closes" },
  greylist: { about: "Greylists for five minutes.", greylist: grey(5 * MINUTE) },
  greylist_short: { about: "Greylists for one minute.", greylist: grey(MINUTE) },
  accept_all_greylist: {
    about: "Greylists for five minutes, then takes every name.",
    accepts: "all",
    greylist: grey(5 * MINUTE)
  },
  one_recipient: {
    about: "Takes one RCPT in a transaction.",
    perTransaction: { most: 1, reply: "452 4.5.3 Too many recipients (AS780090)" }
  },
  one_domain: {
    about: "Takes one recipient domain in a transaction.",
    otherDomain: "451 4.3.0 Multiple destination domains per transaction is unsupported. Please try again."
  },
  closes_after_8: {
    about: "Ends a connection at its ninth RCPT.",
    perConnection: { most: 8, reply: "421 4.7.0 Max recipients per connection reached, closing" }
  },
  closes_after_2: {
    about: "Ends a connection at its third RCPT.",
    perConnection: { most: 2, reply: "421 4.7.0 Max recipients per connection reached, closing" }
  },
  tarpit: {
    about: "Postfix' defaults: from 10 errors on each reply waits a second longer, and 20 end the connection.",
    errors: { free: 10, pause: 1_000, most: 20, reply: "421 4.7.0 {host} Error: too many errors" }
  },
  impatient: {
    about: "Ends a connection at its fourth error.",
    errors: { free: 4, pause: 0, most: 4, reply: "421 4.7.0 {host} Error: too many errors" }
  },
  two_connections: {
    about: "Takes two connections of a client at a time, tells others to come back.",
    connections: { most: 2, reply: "421 4.3.2 The maximum number of concurrent connections has exceeded a limit" }
  },
  one_connection: {
    about: "Takes one connection of a client at a time, closes others without a word.",
    connections: { most: 1, reply: null }
  },

  slow_greeting: { about: "Greets after 20 seconds.", greetingAfter: 20_000 },
  no_greeting: { about: "Takes connections and never says a word.", greetingAfter: null },
  slow_recipient: { about: "Thinks 30 seconds about each RCPT.", recipientAfter: 30_000 },
  greets_with_554: { about: "Refuses service in its greeting.", greeting: "554 5.7.1 {host} No SMTP service here" },
  greets_with_421: { about: "Is too busy for anybody.", greeting: "421 4.3.2 {host} Service not available, try later" },
  blocks_in_greeting: {
    about: "Refuses the client's address in its greeting.",
    greeting: "554 5.7.1 {host} Your IP address [{client}] is on our block list"
  },
  needs_reverse_name: {
    about: "Refuses clients without a reverse name at RCPT, as Postfix does.",
    needsReverseName: {
      at: "recipient",
      reply: "554 5.7.1 Client host rejected: cannot find your reverse hostname, [{client}]"
    }
  },
  needs_reverse_name_first: {
    about: "Refuses clients without a reverse name in its greeting.",
    needsReverseName: { at: "connect", reply: "554 {host} requires that all mail servers have a PTR record" }
  },
  blocks_at_mail: {
    about: "Refuses the client's address at MAIL.",
    sender: "550 5.7.1 Refused, [{client}]: part of that network is on our block list (S3150)"
  },
  refuses_sender: {
    about: "Refuses the domain of the sender at MAIL.",
    sender: "553 5.1.8 Sender address rejected: Domain not found"
  },
  blocks_at_recipient: {
    about: "Refuses the client's address at RCPT, whoever is asked for.",
    voice: {
      ...Voices.postfix,
      exists: Voices.postfix.sender_refused,
      unknown: Voices.postfix.sender_refused
    }
  },
  limits_rate: {
    about: "Puts every RCPT off because of the client's rate.",
    voice: {
      ...Voices.exchange,
      exists: "451 4.7.650 The mail server [{client}] has been temporarily rate limited due to IP reputation (S843)",
      unknown: "451 4.7.650 The mail server [{client}] has been temporarily rate limited due to IP reputation (S843)"
    }
  },

  helo_only: {
    about: "Knows HELO only.",
    hello: "502 5.5.1 Command not implemented",
    voice: Voices.plain
  },
  no_pipelining: {
    about: "Does not offer PIPELINING, and throws away what came before its reply.",
    extensions: ["SIZE 10240000", "8BITMIME"],
    discardsEarly: true
  },
  tls: { about: "Offers STARTTLS with a self-signed certificate.", tls: { certificate: "self_signed", works: "yes" } },
  tls_expired: { about: "Offers STARTTLS with an expired certificate.", tls: { certificate: "expired", works: "yes" } },
  tls_required: {
    about: "Takes MAIL with TLS only.",
    tls: { certificate: "self_signed", works: "yes", required: true }
  },
  tls_refused: { about: "Offers STARTTLS and answers 454.", tls: { certificate: "self_signed", works: "refused" } },
  tls_garbage: {
    about: "Says 220 to STARTTLS, then sends no TLS.",
    tls: { certificate: "self_signed", works: "garbage" }
  },
  tls_closes: { about: "Says 220 to STARTTLS, then closes.", tls: { certificate: "self_signed", works: "closes" } },

  utf8: {
    about: "Takes addresses beyond ASCII (SMTPUTF8).",
    extensions: ["PIPELINING", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES"]
  },
  eight_bit: { about: "Replies in ISO 8859-1, in French.", voice: Voices.french, latin1: true },
  mixed_codes: {
    about: "The lines of one reply have different codes.",
    voice: {
      ...Voices.postfix,
      exists: ["250-2.1.5 Ok so far", "251 2.1.5 Ok, forwarded"],
      unknown: ["451-4.3.0 Looking", "550 5.1.1 <{address}>: User unknown"]
    }
  },
  no_text: { about: "Codes without a word.", voice: Voices.silent, sender: "250", reset: "250", extensions: [] },
  byte_by_byte: { about: "Sends one octet at a time.", wire: "bytes" },
  bare_line_feeds: { about: "Ends its lines with LF alone.", lineEnd: "\n" },
  long_lines: {
    about: "Replies with lines of 4,000 octets, eight times what is allowed.",
    voice: { ...Voices.postfix, unknown: `550 5.1.1 User unknown ${"x".repeat(4_000)}` }
  },
  endless_line: { about: "After EHLO a line that never ends.", endless: "line" },
  endless_reply: { about: "After EHLO a reply whose lines never end.", endless: "reply" },
  not_smtp: { about: "Greets as another protocol does.", greeting: "+OK POP3 ready" },
  no_goodbye: { about: "Closes at QUIT without 221.", quit: "closes" },
  stays_after_quit: { about: "Neither answers QUIT nor closes.", quit: "stays" },
  no_reset: { about: "Answers RSET with 554.", reset: "554 5.5.1 RSET not supported" },

  yahoo: {
    about: "Accepts every RCPT; what is wrong would come after DATA.",
    voice: Voices.yahoo,
    accepts: "anything"
  },
  exchange: { about: "Exchange Online that knows its recipients at the edge.", voice: Voices.exchange },
  exchange_open_edge: {
    about: "Exchange Online that does not, and accepts every RCPT.",
    voice: Voices.exchange,
    accepts: "anything"
  },
  mimecast: {
    about: "Says at first contact that it has trouble, for a minute; knows its recipients then.",
    voice: Voices.mimecast,
    greylist: { wait: MINUTE, reply: "451 Internal resources are temporarily unavailable" }
  },
  google: {
    about: "Replies of several lines; one recipient domain in a transaction.",
    voice: Voices.google,
    otherDomain: "451 4.3.0 Multiple destination domains per transaction is unsupported. Please try again.",
    tls: { certificate: "self_signed", works: "yes" }
  },
  outlook: {
    about: "Outlook's consumer hosts: one RCPT in a transaction, unknown users without a word about users.",
    voice: { ...Voices.exchange, unknown: "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)" },
    perTransaction: { most: 1, reply: "452 4.5.3 Recipients belong to multiple regions ATTR38" }
  }
} satisfies Record<string, Persona>

export type PersonaName = keyof typeof table

/** Every persona by its name. */
export const personas: Readonly<Record<PersonaName, Persona>> = table
