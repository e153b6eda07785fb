/**
 * A name server on loopback, over UDP and TCP at one port, that answers from a zone, misbehaves where the zone says so, and
 * counts its questions. `dns2` speaks the protocol.
 */
import { Effect, type Scope } from "effect"
import { createTCPServer, createUDPServer, type DnsHandler, Packet } from "dns2"
import type { Socket } from "node:net"
import { type Name, Records, type Zone } from "./Zone.ts"

export interface Question {
  /** In lower case. */
  readonly name: string
  /** `MX` */
  readonly type: string
  readonly over: "udp" | "tcp"
}

export interface NameServer {
  /** `127.0.0.1` */
  readonly address: string
  readonly port: number
  /** `<address>:<port>`, as resolvers want it. */
  readonly server: string
  /** Since the start or the last `clear`, oldest first. */
  readonly questions: Effect.Effect<ReadonlyArray<Question>>
  /** How often a name was asked for, for one kind of record or for any. */
  readonly asked: (name: string, type?: string) => Effect.Effect<number>
  /** From now on this is known of a name; `null`: there is no such name. */
  readonly set: (name: string, known: Name | null) => Effect.Effect<void>
  readonly clear: Effect.Effect<void>
}

/** Tries at a port that is free for both transports. */
const TRIES = 20

const ADDRESS = "127.0.0.1"

const CODES = {
  nxdomain: Packet.RCODE.NXDOMAIN,
  servfail: Packet.RCODE.SERVFAIL,
  refused: Packet.RCODE.REFUSED
} as const

/** Starts it; it stops with the scope. */
export const start = Effect.fnUntraced(function* (zone: Zone): Effect.fn.Return<NameServer, never, Scope.Scope> {
  const records = new Records(zone)
  let questions: Array<Question> = []
  const handler =
    (over: Question["over"]): DnsHandler =>
    (request, send) => {
      const [question] = request.questions
      if (question === undefined) return
      const asked = { name: question.name.toLowerCase(), type: Packet.typeName(question.type ?? 0), over }
      questions.push(asked)
      const response = respond(records, request, question.name, asked)
      // Nobody waits for an answer any more.
      if (response !== null) Promise.resolve(send(response)).catch(() => {})
    }
  const { port } = yield* Effect.acquireRelease(
    Effect.promise(() => listen(handler)),
    ({ close }) => Effect.promise(close)
  )
  return {
    address: ADDRESS,
    port,
    server: `${ADDRESS}:${port}`,
    questions: Effect.sync(() => [...questions]),
    asked: (name, type) =>
      Effect.sync(
        () => questions.filter((each) => each.name === name && (type === undefined || each.type === type)).length
      ),
    set: (name, known) => Effect.sync(() => records.set(name, known)),
    clear: Effect.sync(() => void (questions = []))
  }
})

const respond = (records: Records, request: Packet, name: string, { over, type }: Question): Packet | null => {
  const fault = records.fault(name)
  if (fault === "timeout") return null
  const response = Packet.createResponseFromRequest(request)
  response.header.ra = 1
  if (fault === "truncated" && over === "udp") {
    response.header.tc = 1
    return response
  }
  if (fault !== null && fault !== "truncated") {
    response.header.rcode = CODES[fault]
    return response
  }
  const [question] = request.questions
  if (question !== undefined) {
    response.answers = records
      .answer(name, type)
      .map(({ type, ...record }) => Packet.createResourceFromQuestion(question, { ...record, type: Packet.TYPE[type] }))
  }
  return response
}

const listen = async (handler: (over: Question["over"]) => DnsHandler) => {
  for (let attempt = 1; ; attempt++) {
    const open = new Set<Socket>()
    const tcp = createTCPServer(handler("tcp")).on("connection", (socket: Socket) => {
      open.add(socket)
      socket.once("close", () => open.delete(socket))
      socket.on("error", () => socket.destroy())
    })
    const udp = createUDPServer(handler("udp"))
    const close = async () => {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => tcp.close(() => resolve()))
      await new Promise<void>((resolve) => udp.close(() => resolve()))
    }
    tcp.on("requestError", () => {})
    udp.on("requestError", () => {})
    const port = await new Promise<number>((resolve, reject) => {
      tcp.once("error", reject)
      tcp.listen(0, ADDRESS, () => {
        const at = tcp.address()
        resolve(typeof at === "object" && at !== null ? at.port : 0)
      })
    })
    const isFree = await new Promise<boolean>((resolve) => {
      udp.once("error", () => resolve(false))
      udp.bind(port, ADDRESS, () => resolve(true))
    })
    if (isFree) return { port, close }
    await close()
    if (attempt === TRIES) throw new Error("no port is free for UDP and TCP")
  }
}
