/**
 * How a mail host of the tests behaves, as data. What a persona does not say is done as a well-behaved server does it.
 *
 * A reply is written as it goes over the wire, code in front, without its line end; several lines are sent as they
 * stand, so that wrong ones can be written too. `{address}`, `{local}`, `{domain}`, `{sender}`, `{hello}`, `{client}` and
 * `{host}` are filled in.
 */

export type Lines = string | ReadonlyArray<string>

/** What is so of a mailbox; `sender_refused` exists, and takes nothing from us. */
export type Mailbox = "exists" | "unknown" | "disabled" | "full" | "busy" | "sender_refused"

/** What a kind of server says to RCPT, for each of these. */
export type Voice = Readonly<Record<Mailbox | "not_here", Lines>>

export interface Persona {
  /** What it is, in one sentence. */
  readonly about: string
  /** `false`: nobody listens at the address, so that a connection is refused. */
  readonly listens?: boolean
  /** Another one than 220 ends the conversation. */
  readonly greeting?: Lines
  /** Milliseconds before the greeting; `null` never greets. */
  readonly greetingAfter?: number | null
  /** Other connections of the same client beyond `most` get `reply` and are closed; `null` closes without a word. */
  readonly connections?: { readonly most: number; readonly reply: Lines | null }
  /** What clients without a reverse name are told, and when. */
  readonly needsReverseName?: { readonly at: "connect" | "recipient"; readonly reply: Lines }

  /** What EHLO gets; left out, the name and the extensions. */
  readonly hello?: Lines
  /** Keywords after EHLO; `STARTTLS` is added where `tls` is there. */
  readonly extensions?: ReadonlyArray<string>
  /** After EHLO a line, or lines of one reply, that never end. */
  readonly endless?: "line" | "reply"
  readonly tls?: {
    readonly certificate: "self_signed" | "expired"
    /** What STARTTLS does: 220 and TLS; 454; 220 and then no TLS; 220 and then a closed connection. */
    readonly works: "yes" | "refused" | "garbage" | "closes"
    /** MAIL without TLS is answered 530. */
    readonly required?: boolean
  }

  /** What MAIL gets; left out, 250. */
  readonly sender?: Lines

  /** How it speaks to RCPT; left out, as Postfix. */
  readonly voice?: Voice
  /**
   * `known`: names that its domain does not list are unknown. `all`: they exist. `anything`: every RCPT is accepted, whatever
   * is so of the mailbox.
   */
  readonly accepts?: "known" | "all" | "anything"
  /** Milliseconds before each reply to RCPT. */
  readonly recipientAfter?: number
  /** First contacts of (client, sender, recipient) get `reply`, until so many milliseconds have gone by. */
  readonly greylist?: { readonly wait: number; readonly reply: Lines }
  /** RCPTs of one transaction beyond `most` get `reply`. */
  readonly perTransaction?: { readonly most: number; readonly reply: Lines }
  /** RCPTs of one connection beyond `most` get `reply`, and the connection is closed. */
  readonly perConnection?: { readonly most: number; readonly reply: Lines }
  /** What a RCPT gets whose domain is not that of the first one in its transaction. */
  readonly otherDomain?: Lines
  /** Once a RCPT was refused for good: what every later one of that connection gets, or the end of the connection. */
  readonly afterRefusal?: Lines | "closes"
  /**
   * A refused RCPT and a wrong command are errors. Beyond `free` of them each reply waits, `pause` milliseconds longer with each;
   * at `most` of them `reply` comes instead and the connection is closed.
   */
  readonly errors?: { readonly free: number; readonly pause: number; readonly most: number; readonly reply: Lines }

  /** What RSET gets; left out, 250. */
  readonly reset?: Lines
  /** What QUIT gets; left out, 221 and the end. `closes` says nothing, `stays` says nothing and leaves it open. */
  readonly quit?: Lines | "closes" | "stays"
  /** What came with a command, before its reply, is thrown away. */
  readonly discardsEarly?: boolean
  /** How replies go out: `bytes` sends one octet at a time. */
  readonly wire?: "whole" | "bytes"
  /** Ends of lines; left out, CR LF. */
  readonly lineEnd?: string
  /** Replies are not UTF-8 but ISO 8859-1. */
  readonly latin1?: boolean
}
