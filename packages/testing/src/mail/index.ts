/**
 * Mail and DNS hosts for tests, on loopback: `MailWorld` starts both from a table of domains, `MailHosts` and `NameServer` one
 * of them.
 */
export type { Domain } from "./Judgement.ts"
export * as MailHosts from "./MailHosts.ts"
export * as MailPopulation from "./MailPopulation.ts"
export * as MailWorld from "./MailWorld.ts"
export * as NameServer from "./NameServer.ts"
export type { Lines, Mailbox, Persona, Voice } from "./Persona.ts"
export { type PersonaName, personas } from "./Personas.ts"
export type { Connections, Exchange } from "./Transcript.ts"
export * as Postfix from "./Postfix.ts"
export * as Voices from "./Voices.ts"
export { type DnsFault, type Mx, type Name, reverse, type Zone } from "./Zone.ts"
