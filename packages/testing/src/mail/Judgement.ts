/** What a host says of a recipient: a pure function of its persona, the domain, and what came before. */
import { domainToASCII } from "node:url"
import type { Lines, Mailbox, Persona } from "./Persona.ts"
import { personas, type PersonaName } from "./Personas.ts"
import * as Voices from "./Voices.ts"

/** A domain that a host serves. */
export interface Domain {
  /** Local parts in lower case, and what is so of them. */
  readonly mailboxes?: Readonly<Record<string, Mailbox>>
  /** How its RCPTs are answered, where that is not as its host does: `voice`, `accepts` and `greylist` of this persona. */
  readonly persona?: PersonaName | Persona
}

/** What EHLO gets where the persona names no extensions. */
export const EHLO_EXTENSIONS: ReadonlyArray<string> = ["PIPELINING", "SIZE 10240000", "ENHANCEDSTATUSCODES", "8BITMIME"]

interface Contact {
  readonly key: string
  readonly contacts: Map<string, number>
  readonly now: number
}

export const personaOf = (persona: PersonaName | Persona): Persona =>
  typeof persona === "string" ? personas[persona] : persona

/** The host's persona, with the domain's own way to answer RCPT where it has one. */
export const ownPersona = (host: Persona, domain: Domain | undefined): Persona => {
  if (domain?.persona === undefined) return host
  const { accepts, greylist, voice } = personaOf(domain.persona)
  return {
    ...host,
    accepts: accepts ?? "known",
    ...(voice === undefined ? {} : { voice }),
    ...(greylist === undefined ? {} : { greylist })
  }
}

export interface Recipient {
  /** As it was written, its domain in lower-case ASCII. */
  readonly address: string
  readonly local: string
  readonly domain: string
}

/** The recipient of a RCPT; `null` where its syntax is wrong. */
export const recipientOf = (command: string): Recipient | null => {
  const [, local, domain] = /^RCPT TO:\s*<((?:[^<>@"\s]|"[^"]*")+)@([^<>@\s]+)>(?: +[^ ]+)* *$/i.exec(command) ?? []
  if (local === undefined || domain === undefined) return null
  const ascii = domainToASCII(domain) || domain.toLowerCase()
  return { address: `${local}@${ascii}`, local, domain: ascii }
}

const kindOf = (accepts: Persona["accepts"], listed: Mailbox | undefined): Mailbox => {
  if (accepts === "anything") return "exists"
  return listed ?? (accepts === "all" ? "exists" : "unknown")
}

const isGrey = ({ wait }: NonNullable<Persona["greylist"]>, { contacts, key, now }: Contact): boolean => {
  const first = contacts.get(key)
  if (first === undefined) contacts.set(key, now)
  return now - (first ?? now) < wait
}

/** The reply, before its places are filled in. */
export const judged = (
  { accepts, greylist, voice = Voices.postfix }: Persona,
  domain: Domain | undefined,
  local: string,
  contact: Contact
): Lines => {
  if (domain === undefined) return voice.not_here
  if (greylist !== undefined && isGrey(greylist, contact)) return greylist.reply
  return voice[kindOf(accepts, domain.mailboxes?.[local.toLowerCase()])]
}
