/** How long a mail host may take for each step, in milliseconds. Some think half a minute about a recipient. */
export interface Time {
  readonly socket: number
  readonly connect: number
  readonly hello: number
  readonly starttls: number
  readonly reset: number
  readonly mail: number
  readonly recipient: number
  /** After which a connection is closed without an answer to QUIT. */
  readonly quit: number
  /** How long a connection that nobody needs just now is kept for the next address. */
  readonly idle: number
}

/** RFC 5321 (4.5.3.2) lets a server have minutes for each, which nobody waits for an answer to a question. */
export const defaults: Time = {
  socket: 8_000,
  connect: 20_000,
  hello: 15_000,
  starttls: 15_000,
  reset: 15_000,
  mail: 15_000,
  recipient: 30_000,
  quit: 2_000,
  idle: 3_000
}
