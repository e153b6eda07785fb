/**
 * One connection to a mail host of the tests: reads commands, answers as the host's persona does, never accepts a message.
 *
 * Commands are answered in order. What came in one piece is answered in one piece, unless the persona waits.
 */
import type { Socket } from "node:net"
import * as Tls from "node:tls"
import { certificates, key } from "./Certificates.ts"
import type { Lines, Persona } from "./Persona.ts"
import { type Domain, EHLO_EXTENSIONS, judged, ownPersona, type Recipient, recipientOf } from "./Judgement.ts"
import type { Transcript } from "./Transcript.ts"

/** What a conversation knows of the host that it takes place at. */
export interface Room {
  /** Name of the host, `mx.acme.test`. */
  readonly name: string
  readonly address: string
  readonly persona: () => Persona
  readonly domain: (name: string) => Domain | undefined
  /** First contacts: when (client, sender, recipient) was first seen. */
  readonly contacts: Map<string, number>
  readonly reverseName: (client: string) => string | undefined
  readonly transcript: Transcript
  /** Milliseconds that what goes out is on its way. */
  readonly latency: number
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Calls `then` after so many milliseconds; gives what calls it off. */
  readonly later: (millis: number, then: () => void) => () => void
}

/** What is done about a command. */
interface Answer {
  readonly lines: Lines | null
  /** Whom it is about. */
  readonly to?: Recipient
  /** Milliseconds before. */
  readonly after?: number
  /** `end` closes behind the reply. */
  readonly then?: "end" | "tls" | "garbage" | "endless"
}

/** A client that sends more without an end of line is cut off. */
const LONGEST_COMMAND = 65_536

/** An endless reply does end, after so many octets, so that a test that fails does not fill the memory. */
const ENDLESS = 64 * 1024 * 1024

const secureContexts = new Map<string, Tls.SecureContext>()

const secureContext = (certificate: keyof typeof certificates): Tls.SecureContext => {
  const made = secureContexts.get(certificate) ?? Tls.createSecureContext({ key, cert: certificates[certificate] })
  secureContexts.set(certificate, made)
  return made
}

export class Conversation {
  readonly #room: Room
  readonly #number: number
  readonly #client: string
  #socket: Socket
  #secure = false
  #unread = ""
  #decoder = new TextDecoder()
  /** Waits for a clock or for TLS, or has nothing more to hear. */
  #busy = false
  /** A reply is on its way, octet by octet. */
  #sending = false
  #callOff: () => void = () => {}
  #over = false
  #out = ""

  #greeted = false
  #hello: string | null = null
  #sender: string | null = null
  #firstDomain: string | null = null
  #inTransaction = 0
  #inConnection = 0
  #errors = 0
  #refusedOnce = false

  constructor(room: Room, socket: Socket, number: number) {
    this.#room = room
    this.#number = number
    this.#socket = socket
    this.#client = socket.remoteAddress ?? ""
  }

  /**
   * Takes the connection once the loop has looked at every other socket again: connections that the client had closed before
   * are gone by then, and the count of those that are open at a time is the client's own.
   */
  begin(): void {
    const { address, transcript } = this.#room
    let isCounted = false
    let isGone = false
    const gone = () => {
      if (isCounted) transcript.closed(address, this.#client)
      isCounted = false
      isGone = true
    }
    // Its end is read when the client has closed it; the event of our own close comes a turn of the loop later.
    this.#socket.once("end", gone)
    this.#socket.once("close", () => {
      this.#over = true
      this.#callOff()
      gone()
    })
    this.#listen()
    setImmediate(() =>
      setImmediate(() => {
        if (isGone) transcript.passed(address, this.#client)
        else transcript.opened(address, this.#client)
        isCounted = !isGone
        if (this.#over) return
        const { greetingAfter = 0 } = this.#room.persona()
        if (greetingAfter !== null) this.#waiting(greetingAfter, () => this.#greet())
      })
    )
  }

  /** Ends it from outside. */
  destroy(): void {
    this.#socket.destroy()
  }

  #listen(): void {
    this.#socket.setNoDelay(true)
    // A client that goes away in the middle is what tests do.
    this.#socket.on("error", () => this.#socket.destroy())
    this.#socket.on("data", (chunk: Uint8Array) => {
      this.#unread += this.#decoder.decode(chunk, { stream: true })
      this.#read()
    })
  }

  #waiting(millis: number, then: () => void): void {
    if (millis <= 0) return then()
    this.#busy = true
    this.#flush()
    this.#callOff = this.#room.later(millis, () => {
      this.#busy = false
      if (this.#over) return
      then()
      this.#read(true)
    })
  }

  #greet(): void {
    const refused = this.#refusedAtOnce()
    if (refused !== undefined) {
      this.#say(null, { lines: refused, then: "end" }, false)
      return this.#flush()
    }
    const { greeting = "220 {host} ESMTP" } = this.#room.persona()
    const welcome = firstOf(greeting).startsWith("220")
    this.#greeted = welcome
    this.#say(null, welcome ? { lines: greeting } : { lines: greeting, then: "end" }, false)
    if (!this.#busy) this.#flush()
  }

  #refusedAtOnce(): Lines | null | undefined {
    const { connections, needsReverseName } = this.#room.persona()
    const { open } = this.#room.transcript.connections(this.#room.address, this.#client)
    if (connections !== undefined && open > connections.most) return connections.reply
    if (needsReverseName?.at === "connect" && this.#room.reverseName(this.#client) === undefined)
      return needsReverseName.reply
    return undefined
  }

  /** `waited`: what is unread came before the last reply went out. */
  #read(waited = false): void {
    if (!this.#greeted) return
    let early = waited
    while (!this.#busy && !this.#sending && !this.#over) {
      const end = this.#unread.indexOf("\n")
      if (end === -1) break
      const command = this.#unread.slice(0, end).replace(/\r$/, "")
      this.#unread = this.#room.persona().discardsEarly === true ? "" : this.#unread.slice(end + 1)
      this.#hear(command, early)
      early = true
    }
    if (this.#unread.length > LONGEST_COMMAND) this.#socket.destroy()
    if (!this.#busy && !this.#sending) this.#flush()
  }

  #hear(command: string, early: boolean): void {
    const verb = (/^[A-Za-z]+/.exec(command)?.[0] ?? "").toUpperCase()
    this.#room.transcript.command(verb)
    const answer = this.#answer(verb, command)
    const after = answer.after ?? 0
    if (after <= 0) return this.#say(command, answer, early)
    this.#waiting(after, () => this.#say(command, answer, early))
  }

  #answer(verb: string, command: string): Answer {
    switch (verb) {
      case "EHLO":
      case "HELO":
        return this.#onHello(verb, command)
      case "STARTTLS":
        return this.#onStartTls()
      case "MAIL":
        return this.#onMail(command)
      case "RCPT":
        return this.#onRecipient(command)
      case "DATA":
      case "BDAT":
        return this.#onData(verb)
      case "RSET":
        this.#endTransaction()
        return { lines: this.#room.persona().reset ?? "250 2.0.0 Ok" }
      case "NOOP":
        return { lines: "250 2.0.0 Ok" }
      case "QUIT":
        return this.#onQuit()
      case "VRFY":
        return { lines: "252 2.0.0 Cannot VRFY user" }
      default:
        return this.#mistake("500 5.5.2 Error: command not recognized")
    }
  }

  #onHello(verb: string, command: string): Answer {
    const { endless, extensions = EHLO_EXTENSIONS, hello, tls } = this.#room.persona()
    this.#endTransaction()
    const named = command.slice(4).trim()
    if (named === "") return this.#mistake("501 Syntax: EHLO hostname")
    if (verb === "HELO") {
      this.#hello = named
      return { lines: "250 {host}" }
    }
    if (hello !== undefined && !firstOf(hello).startsWith("2")) return this.#mistake(hello)
    this.#hello = named
    if (endless !== undefined) return { lines: null, then: "endless" }
    if (hello !== undefined) return { lines: hello }
    const keywords = tls !== undefined && !this.#secure ? [...extensions, "STARTTLS"] : extensions
    const lines = ["{host}", ...keywords]
    return { lines: lines.map((line, at) => `250${at === lines.length - 1 ? " " : "-"}${line}`) }
  }

  #onStartTls(): Answer {
    const { tls } = this.#room.persona()
    if (tls === undefined || this.#secure) return this.#mistake("502 5.5.1 Command not implemented")
    if (tls.works === "refused") return { lines: "454 4.7.0 TLS not available due to local problem" }
    // RFC 3207, 4.2: what was said before is forgotten.
    this.#hello = null
    this.#endTransaction()
    this.#unread = ""
    const then = { yes: "tls", garbage: "garbage", closes: "end" } as const
    return { lines: "220 2.0.0 Ready to start TLS", then: then[tls.works] }
  }

  #onMail(command: string): Answer {
    const { extensions = EHLO_EXTENSIONS, sender, tls } = this.#room.persona()
    const [, address, parameters = ""] = /^MAIL FROM:\s*<([^<>]*)>((?: +[^ ]+)*) *$/i.exec(command) ?? []
    if (this.#hello === null) return this.#mistake("503 5.5.1 Error: send HELO/EHLO first")
    if (this.#sender !== null) return this.#mistake("503 5.5.1 Error: nested MAIL command")
    if (tls?.required === true && !this.#secure) return { lines: "530 5.7.0 Must issue a STARTTLS command first" }
    if (address === undefined) return this.#mistake("501 5.5.4 Syntax: MAIL FROM:<address>")
    const offered = new Set(extensions.map((keyword) => keyword.split(" ", 1)[0]))
    const wanted = parameters.trim() === "" ? [] : parameters.trim().split(/ +/)
    const unknown = wanted.find((each) => !offered.has(EXTENSION_OF[keywordOf(each)] ?? ""))
    if (unknown !== undefined) return this.#mistake("555 5.5.4 Unsupported option in MAIL")
    if (sender !== undefined && !firstOf(sender).startsWith("2")) return { lines: sender }
    this.#sender = address
    return { lines: sender ?? "250 2.1.0 Ok" }
  }

  #onRecipient(command: string): Answer {
    const persona = this.#room.persona()
    const after = persona.recipientAfter ?? 0
    const recipient = recipientOf(command)
    if (this.#sender === null) return this.#mistake("503 5.5.1 Error: need MAIL command")
    if (recipient === null) return this.#mistake("501 5.1.3 Bad recipient address syntax")
    this.#room.transcript.asked(recipient.address)
    this.#inConnection++
    this.#inTransaction++
    const answer = this.#judge(persona, recipient)
    const isRefused = answer.then === undefined && lastOf(answer.lines).startsWith("5")
    return { ...(isRefused ? this.#refused(persona, answer, after) : { ...answer, after }), to: recipient }
  }

  /** The limits of the host first, then what its domain says. */
  #judge(persona: Persona, recipient: Recipient): Answer {
    const { afterRefusal, needsReverseName, otherDomain, perConnection, perTransaction } = persona
    if (perConnection !== undefined && this.#inConnection > perConnection.most)
      return { lines: perConnection.reply, then: "end" }
    if (needsReverseName?.at === "recipient" && this.#room.reverseName(this.#client) === undefined)
      return { lines: needsReverseName.reply }
    if (perTransaction !== undefined && this.#inTransaction > perTransaction.most)
      return { lines: perTransaction.reply }
    this.#firstDomain ??= recipient.domain
    if (otherDomain !== undefined && recipient.domain !== this.#firstDomain) return { lines: otherDomain }
    if (this.#refusedOnce && afterRefusal !== undefined && afterRefusal !== "closes") return { lines: afterRefusal }
    const domain = this.#room.domain(recipient.domain)
    const lines = judged(ownPersona(persona, domain), domain, recipient.local, {
      key: `${this.#client} ${this.#sender ?? ""} ${recipient.address}`,
      contacts: this.#room.contacts,
      now: this.#room.now()
    })
    return { lines }
  }

  #refused(persona: Persona, answer: Answer, after: number): Answer {
    this.#refusedOnce = true
    if (persona.afterRefusal === "closes") return { ...answer, after, then: "end" }
    return this.#mistake(answer.lines ?? "", after)
  }

  /** An error of the client, with what it costs. */
  #mistake(lines: Lines, after = 0): Answer {
    const { errors } = this.#room.persona()
    this.#errors++
    if (errors === undefined) return { lines, after }
    if (this.#errors >= errors.most) return { lines: errors.reply, after, then: "end" }
    return { lines, after: after + Math.max(0, this.#errors - errors.free) * errors.pause }
  }

  #onData(verb: string): Answer {
    this.#room.transcript.alarm(`${verb} at ${this.#room.name} (${this.#room.address}) by ${this.#client}`)
    return { lines: "554 5.5.1 This host takes no messages: nobody may send one to it", then: "end" }
  }

  #onQuit(): Answer {
    const { quit } = this.#room.persona()
    if (quit === "stays") return { lines: null }
    return { lines: quit === "closes" ? null : (quit ?? "221 2.0.0 Bye"), then: "end" }
  }

  #endTransaction(): void {
    this.#sender = null
    this.#firstDomain = null
    this.#inTransaction = 0
  }

  #filled(lines: Lines, to: Recipient | undefined): Lines {
    const values: Readonly<Record<string, string | null | undefined>> = {
      ...to,
      sender: this.#sender,
      hello: this.#hello,
      client: this.#client,
      host: this.#room.name
    }
    return typeof lines === "string" ? fill(lines, values) : lines.map((line) => fill(line, values))
  }

  #say(command: string | null, answer: Answer, early: boolean): void {
    const lines = answer.lines === null ? [] : [this.#filled(answer.lines, answer.to)].flat()
    this.#room.transcript.record({
      host: this.#room.address,
      client: this.#client,
      connection: this.#number,
      command,
      reply: lines.length === 0 ? null : lines.join("\n"),
      early,
      secure: this.#secure,
      at: this.#room.now()
    })
    const { lineEnd = "\r\n" } = this.#room.persona()
    for (const line of lines) this.#out += `${line}${lineEnd}`
    if (answer.then !== undefined) this.#afterwards(answer.then)
  }

  #afterwards(then: NonNullable<Answer["then"]>): void {
    this.#busy = true
    this.#flush(() => {
      if (then === "end") this.#socket.end()
      if (then === "garbage") this.#socket.end("this is no handshake\r\n")
      if (then === "endless") this.#endless()
      if (then === "tls") this.#startTls()
    })
  }

  #startTls(): void {
    const certificate = this.#room.persona().tls?.certificate ?? "self_signed"
    this.#socket.removeAllListeners("data")
    const secure = new Tls.TLSSocket(this.#socket, { isServer: true, secureContext: secureContext(certificate) })
    this.#socket.on("close", () => secure.destroy())
    this.#socket = secure
    this.#secure = true
    this.#busy = false
    this.#listen()
  }

  #endless(): void {
    const piece = this.#room.persona().endless === "line" ? "x".repeat(65_536) : "250-MORE\r\n".repeat(6_000)
    let sent = 0
    const more = () => {
      if (this.#over || sent >= ENDLESS) return void this.#socket.destroy()
      sent += piece.length
      this.#socket.write(sent === piece.length ? `250-${piece}` : piece, more)
    }
    more()
  }

  /** Sends what is to be sent, then calls `then`. */
  #flush(then: () => void = () => {}): void {
    const out = this.#out
    this.#out = ""
    if (out === "" || this.#over) return then()
    const { latin1 = false, wire = "whole" } = this.#room.persona()
    const bytes = Buffer.from(out, latin1 ? "latin1" : "utf8")
    if (wire === "whole") return this.#send(bytes, then)
    this.#sending = true
    this.#trickle(bytes, 0, then)
  }

  /** What is sent later is sent in the order in which it was said: each is on its way as long as any other. */
  #send(bytes: Buffer, then: () => void): void {
    const { latency, later } = this.#room
    const arrive = () => {
      if (this.#over) return
      this.#socket.write(bytes)
      then()
    }
    if (latency > 0) later(latency, arrive)
    else arrive()
  }

  #trickle(bytes: Buffer, from: number, then: () => void): void {
    if (this.#over) return
    if (from < bytes.length) {
      // One turn of the loop for each: they leave as segments of their own.
      this.#socket.write(bytes.subarray(from, from + 1), () => setImmediate(() => this.#trickle(bytes, from + 1, then)))
      return
    }
    this.#sending = false
    then()
    this.#read(true)
  }
}

const firstOf = (lines: Lines): string => [lines].flat()[0] ?? ""

const lastOf = (lines: Lines | null): string => [lines ?? ""].flat().at(-1) ?? ""

const fill = (line: string, values: Readonly<Record<string, string | null | undefined>>): string =>
  line.includes("{") ? line.replace(/\{([a-z]+)\}/g, (_, name: string) => values[name] ?? "") : line

const keywordOf = (parameter: string): string => parameter.split("=", 1)[0]?.toUpperCase() ?? ""

/** The extension that brings a parameter of MAIL. */
const EXTENSION_OF: Readonly<Record<string, string>> = { SIZE: "SIZE", BODY: "8BITMIME", SMTPUTF8: "SMTPUTF8" }
