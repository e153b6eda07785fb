/**
 * One connection to a mail host, up to RCPT and never further: this file has no word for DATA.
 *
 * A callback machine without fibres: with PIPELINING any number of addresses costs one write and one promise.
 *
 * Gotchas
 * - Each address has a transaction of its own. RSET goes before the next one, in the same write (RFC 2920, 3.1). Only where
 *   that write would be three round trips, for want of PIPELINING, addresses of one domain share a transaction.
 * - Once a host said 421, or anything that nobody asked for, the connection is over.
 * - TLS hides what is asked from those between, and proves nothing about the host: certificates of mail hosts fit no name.
 */
import type { Evidence } from "@lading/core/email"
import * as Net from "node:net"
import * as Tls from "node:tls"
import * as Reply from "./Reply.ts"
import * as ReplyReader from "./ReplyReader.ts"
import type { Time } from "./Time.ts"
import { after } from "./Timer.ts"

/** How a connection ended that nobody ended here. */
export type Ended = "refused" | "timed_out" | "closed" | "tls_failed"

/** What came of a question. */
export type Told =
  | { readonly _tag: "Replied"; readonly stage: Evidence.Stage; readonly reply: Reply.Reply }
  | { readonly _tag: "Ended"; readonly how: Ended }
  /** The address needs SMTPUTF8, which the host does not offer. */
  | { readonly _tag: "NoSmtpUtf8" }
  /** The host knows no RSET: every address needs a connection of its own. */
  | { readonly _tag: "NoReset" }
  /** It holds a character that would end the line; nothing was sent. */
  | { readonly _tag: "Unsayable" }
  /** The connection had ended with an address before it. */
  | { readonly _tag: "Unheard" }

/** `null`: ready for questions. */
export type Opened = Extract<Told, { readonly _tag: "Replied" | "Ended" }> | null

export interface Setting {
  /** Our name. */
  readonly hello: string
  /** The host's name, for TLS. */
  readonly host: string
  readonly useTls: boolean
  readonly time: Time
}

export interface Question {
  readonly sender: string
  readonly recipient: string
  readonly smtputf8: boolean
  /** Whether nobody else is asked for in its transaction. */
  readonly isApart?: boolean
}

type Step = keyof Omit<Time, "socket" | "idle">

interface Awaited {
  readonly steps: ReadonlyArray<Step>
  readonly replies: Array<Reply.Reply>
  readonly settle: (replies: ReadonlyArray<Reply.Reply>) => void
}

// oxlint-disable-next-line no-control-regex
const UNSAYABLE = /[\x00-\x1f\x7f]/

const NONE: ReadonlySet<string> = new Set()

const UNHEARD: Told = { _tag: "Unheard" }

const RESET = "RSET\r\n"

const mailOf = ({ sender, smtputf8 }: Question): string => `MAIL FROM:<${sender}>${smtputf8 ? " SMTPUTF8" : ""}\r\n`

/** What addresses have in common that may share a transaction: some hosts take one domain in each, some one sender. */
const subjectOf = ({ isApart = false, recipient, smtputf8 }: Question): string | null =>
  isApart ? null : `${smtputf8} ${recipient.slice(recipient.lastIndexOf("@") + 1)}`

const recipientOf = ({ recipient }: Question): string => `RCPT TO:<${recipient}>\r\n`

const howOf = (error: unknown): Ended => {
  const code = error instanceof Error && "code" in error ? error.code : null
  if (code === "ETIMEDOUT") return "timed_out"
  return code === "ECONNRESET" || code === "EPIPE" ? "closed" : "refused"
}

export class Connection {
  /** Whether a greeting (220) was read. */
  greeted = false
  /** Addresses that were asked for here. */
  questions = 0
  /** Fulfilled once the socket is gone. */
  readonly closed: Promise<void>
  #socket: Net.Socket
  #reader = ReplyReader.make()
  #awaited: Awaited | null = null
  #callOff: () => void = () => {}
  #ended: Ended | null = null
  #leaving = false
  #inTransaction = false
  /** What the transaction is about; `null` where nobody else may be asked for in it. */
  #subject: string | null = null
  #extensions = NONE
  #settleClosed: () => void = () => {}
  readonly #setting: Setting

  /** Takes a socket that is connected, or about to be. */
  constructor(socket: Net.Socket, setting: Setting) {
    this.#setting = setting
    this.#socket = socket
    this.closed = new Promise((resolve) => (this.#settleClosed = resolve))
    this.#attach(socket)
  }

  get isOpen(): boolean {
    return this.#ended === null && !this.#leaving
  }

  /** Whether it takes several commands at once. */
  get pipelines(): boolean {
    return this.#extensions.has("PIPELINING")
  }

  /** Waits for the greeting, says hello, and begins TLS where it is offered. */
  async open(): Promise<Opened> {
    this.#listen(this.#socket)
    const [greeting] = await this.#exchange("", ["connect"])
    if (greeting === undefined) return this.#told()
    if (greeting.code !== 220) return { _tag: "Replied", stage: "connect", reply: greeting }
    this.greeted = true
    const refused = await this.#hello()
    if (refused !== null || !this.#setting.useTls || !this.#extensions.has("STARTTLS")) return refused
    const [ready] = await this.#exchange("STARTTLS\r\n", ["starttls"])
    if (ready === undefined) return this.#told()
    // A host that cannot now goes on as it is.
    if (ready.code !== 220) return null
    return (await this.#secure()) ? this.#hello() : { _tag: "Ended", how: "tls_failed" }
  }

  /**
   * Asks whether the host takes mail for addresses: all at once with PIPELINING, else one after the other. What it said of each,
   * in their order. One call at a time.
   */
  async ask(questions: ReadonlyArray<Question>): Promise<ReadonlyArray<Told>> {
    const sayable = questions.filter((question) => this.#untold(question) === null)
    this.questions += sayable.length
    const heard = this.pipelines ? await this.#pipelined(sayable) : await this.#inTurn(sayable)
    if (sayable.length === questions.length) return heard
    const told = heard.values()
    return questions.map((question) => this.#untold(question) ?? told.next().value ?? UNHEARD)
  }

  /** Why it is not asked at all. */
  #untold({ recipient, sender, smtputf8 }: Question): Told | null {
    if (UNSAYABLE.test(recipient) || UNSAYABLE.test(sender)) return { _tag: "Unsayable" }
    return smtputf8 && !this.#extensions.has("SMTPUTF8") ? { _tag: "NoSmtpUtf8" } : null
  }

  async #pipelined(questions: ReadonlyArray<Question>): Promise<ReadonlyArray<Told>> {
    if (questions.length === 0) return []
    const steps: Array<Step> = []
    let text = ""
    for (const [at, question] of questions.entries()) {
      if (at > 0 || this.#inTransaction) {
        steps.push("reset")
        text += RESET
      }
      steps.push("mail", "recipient")
      text += `${mailOf(question)}${recipientOf(question)}`
    }
    const replies = await this.#exchange(text, steps)
    const told: Array<Told> = []
    let at = 0
    for (let n = 0; n < questions.length; n++) {
      const next = steps.indexOf("recipient", at) + 1
      told.push(this.#heard(steps, replies, at, next))
      at = next
    }
    return told
  }

  /** What the replies from here to there come to. */
  #heard(steps: ReadonlyArray<Step>, replies: ReadonlyArray<Reply.Reply>, from: number, to: number): Told {
    const before = replies[from - 1]
    // The reply that ended it was to an address before, or there was none to that one.
    if (from > 0 && (replies.length < from || (replies.length === from && before?.code === 421))) return UNHEARD
    for (let at = from; at < to; at++) {
      const told = this.#read(steps[at] ?? "recipient", replies[at])
      if (told !== null) return told
    }
    return this.#told()
  }

  async #inTurn(questions: ReadonlyArray<Question>): Promise<ReadonlyArray<Told>> {
    const told: Array<Told> = []
    for (const question of questions)
      // oxlint-disable-next-line no-await-in-loop
      told.push(this.isOpen || told.length === 0 ? await this.#one(question) : UNHEARD)
    return told
  }

  async #one(question: Question): Promise<Told> {
    const subject = subjectOf(question)
    const isShared = this.#inTransaction && subject !== null && subject === this.#subject
    this.#subject = subject
    const begin: ReadonlyArray<readonly [Step, string]> = [
      ...(this.#inTransaction ? [["reset", RESET] as const] : []),
      ["mail", mailOf(question)]
    ]
    const said: ReadonlyArray<readonly [Step, string]> = [
      ...(isShared ? [] : begin),
      ["recipient", recipientOf(question)]
    ]
    for (const [step, text] of said) {
      // oxlint-disable-next-line no-await-in-loop
      const [reply] = await this.#exchange(text, [step])
      const told = this.#read(step, reply)
      if (told !== null) return told
    }
    return this.#told()
  }

  /** What a reply decides; `null` where the next step does. */
  #read(step: Step, reply: Reply.Reply | undefined): Told | null {
    if (reply === undefined) return this.#told()
    const done = Reply.isPositive(reply)
    switch (step) {
      case "reset":
        this.#inTransaction = !done
        return done ? null : { _tag: "NoReset" }
      case "mail":
        this.#inTransaction = done
        return done ? null : { _tag: "Replied", stage: "mail", reply }
      default:
        return { _tag: "Replied", stage: "recipient", reply }
    }
  }

  #told(): Extract<Told, { readonly _tag: "Ended" }> {
    return { _tag: "Ended", how: this.#ended ?? "closed" }
  }

  async #hello(): Promise<Opened> {
    const [extended] = await this.#exchange(`EHLO ${this.#setting.hello}\r\n`, ["hello"])
    if (extended === undefined) return this.#told()
    if (Reply.isPositive(extended)) {
      const keywords = extended.lines.slice(1).map((line) => line.trim().split(/\s/)[0]?.toUpperCase() ?? "")
      this.#extensions = new Set(keywords)
      return null
    }
    // Refused for good and open still: it may be old.
    if (extended.code < 500 || extended.code === 521 || extended.code === 554)
      return { _tag: "Replied", stage: "hello", reply: extended }
    const [plain] = await this.#exchange(`HELO ${this.#setting.hello}\r\n`, ["hello"])
    if (plain === undefined) return { _tag: "Replied", stage: "hello", reply: extended }
    return Reply.isPositive(plain) ? null : { _tag: "Replied", stage: "hello", reply: plain }
  }

  /** Begins TLS on the connection. What the host said in the clear before is forgotten, what it says too early breaks it. */
  #secure(): Promise<boolean> {
    const plain = this.#socket
    const { host, time } = this.#setting
    if (this.#reader.isInside()) {
      this.destroy("tls_failed")
      return Promise.resolve(false)
    }
    for (const event of ["data", "error", "end", "close"]) plain.removeAllListeners(event)
    this.#extensions = NONE
    this.#reader = ReplyReader.make()
    const servername = Net.isIP(host) === 0 ? host : ""
    const socket = Tls.connect({ socket: plain, servername, rejectUnauthorized: false })
    plain.on("error", () => socket.destroy())
    this.#socket = socket
    return new Promise((resolve) => {
      const fail = () => {
        this.destroy("tls_failed")
        resolve(false)
      }
      this.#callOff = after(time.starttls, fail)
      socket.once("error", fail)
      socket.once("close", fail)
      socket.once("secureConnect", () => {
        this.#callOff()
        socket.removeListener("error", fail)
        socket.removeListener("close", fail)
        this.#attach(socket)
        this.#listen(socket)
        resolve(true)
      })
      // A socket that fails the handshake was never attached.
      socket.once("close", () => this.#settleClosed())
    })
  }

  #listen(socket: Net.Socket): void {
    socket.on("data", (bytes) => this.#take(bytes.toString("latin1")))
  }

  #attach(socket: Net.Socket): void {
    socket.on("error", (error) => this.destroy(howOf(error)))
    socket.on("end", () => this.destroy("closed"))
    socket.on("close", () => {
      this.destroy("closed")
      this.#settleClosed()
    })
  }

  /** Writes, and gives the replies that came: all of them, or those before the end. */
  #exchange(text: string, steps: ReadonlyArray<Step>): Promise<ReadonlyArray<Reply.Reply>> {
    if (!this.isOpen) return Promise.resolve([])
    return new Promise((settle) => {
      this.#awaited = { steps, replies: [], settle }
      this.#wait(steps[0])
      if (text !== "") this.#socket.write(text)
    })
  }

  /** The time of a step counts from the reply before it: bytes that trickle in do not prolong it. */
  #wait(step: Step | undefined): void {
    this.#callOff()
    this.#callOff = after(step === undefined ? 0 : this.#setting.time[step], () => this.destroy("timed_out"))
  }

  #take(bytes: ReplyReader.Latin1): void {
    const before = this.#awaited?.replies.length ?? 0
    for (const each of this.#reader.read(bytes)) {
      if (typeof each === "string") return this.destroy("closed")
      const awaited = this.#awaited
      if (awaited === null) return this.#leaving ? undefined : this.destroy("closed")
      awaited.replies.push(each)
      if (awaited.replies.length === awaited.steps.length) this.#settle()
      if (each.code === 421 && !this.#leaving) return this.destroy("closed")
    }
    const awaited = this.#awaited
    if (awaited === null || awaited.replies.length === before) return
    this.#wait(awaited.steps[awaited.replies.length])
  }

  #settle(): void {
    this.#callOff()
    const awaited = this.#awaited
    this.#awaited = null
    awaited?.settle(awaited.replies)
  }

  /**
   * Takes leave: QUIT where nothing is awaited, and the socket is gone after `time.quit`, whatever the host does. Only then
   * `closed` is fulfilled, so that who waits for it never has more connections than it seems.
   */
  leave(): void {
    if (!this.isOpen) return
    const isIdle = this.#awaited === null && this.greeted
    const goodbye = isIdle ? this.#exchange("QUIT\r\n", ["quit"]) : null
    this.#leaving = true
    if (goodbye === null) this.#hangUp()
    else void goodbye.then(() => this.#hangUp())
  }

  #hangUp(): void {
    this.#settle()
    if (this.#ended !== null) return
    this.#callOff = after(this.#setting.time.quit, () => this.destroy())
    this.#socket.end()
  }

  /** Ends it at once. */
  destroy(how: Ended = "closed"): void {
    this.#ended ??= how
    this.#settle()
    this.#socket.destroy()
  }
}
