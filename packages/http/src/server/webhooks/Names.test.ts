/** Names by their records, asked of a name server on loopback that never answers for some of them. */
import * as NodeDns from "@effect/platform-node/NodeDns"
import { assert, it } from "@effect/vitest"
import { PublicNames } from "@lading/core/net"
import { Effect } from "effect"
import { NetAddress } from "effect/net"
import * as Dgram from "node:dgram"
import * as Receivers from "../../fixtures/Receivers.ts"

const addresses = new Map([
  [1, Buffer.from([8, 8, 8, 8])],
  [28, Buffer.from("26064700000000000000000000001111", "hex")]
])

/** The answer to a query for one record (RFC 1035, section 4.1): its header and question, and one record that points there. */
const answerTo = (query: Buffer, end: number, type: number): Buffer => {
  const [head, record] = [Buffer.from(query.subarray(0, end)), Buffer.alloc(12)]
  const data = addresses.get(type) ?? Buffer.alloc(0)
  head.set([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0], 2)
  record.set([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
  return Buffer.concat([head, record, data])
}

/** Its port, and how many queries for `dead.example` have come. */
const nameServer = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly dead: () => number; readonly close: () => void }>((resume) => {
    let dead = 0
    const socket = Dgram.createSocket("udp4")
    socket.on("message", (query, { address, port }) => {
      const end = query.indexOf(0, 12) + 5
      if (query.includes("dead")) dead++
      else socket.send(answerTo(query, end, query.readUInt16BE(end - 4)), port, address)
    })
    socket.bind(0, "127.0.0.1", () =>
      resume(Effect.succeed({ port: socket.address().port, dead: () => dead, close: () => void socket.close() }))
    )
  }),
  ({ close }) => Effect.sync(close)
)

it.live("a name is found at once while a hundred others are waited for in vain", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* nameServer
      const nameServers = [NetAddress.inetAddressFromIpStringUnsafe("127.0.0.1", server.port)]
      const dns = PublicNames.make(NodeDns.make({ ...PublicNames.patience, nameServers }))
      for (let at = 0; at < 100; at++) yield* Effect.forkScoped(Effect.ignore(dns.lookup("dead.example.")))
      yield* Receivers.until("all are asked for", () => server.dead() >= 200)
      const began = performance.now()
      const found = (yield* dns.lookup("alive.example.")).map(NetAddress.formatIp)
      assert.deepStrictEqual(found, ["8.8.8.8", "2606:4700::1111"])
      assert.isBelow(performance.now() - began, 1500)
    })
  )
)
