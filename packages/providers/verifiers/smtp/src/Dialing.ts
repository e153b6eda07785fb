/** How sockets to mail hosts are opened: straight, or through a SOCKS5 proxy that lets port 25 out. */
import * as Net from "node:net"
import { SocksClient } from "socks"

export interface Proxy {
  readonly host: string
  readonly port: number
  readonly user?: string
  readonly password?: string
}

export interface Dialing {
  /** The port that mail hosts listen at; another than 25 is for tests. */
  readonly port: number
  readonly proxy: Proxy | null
  /** Our own address, where the machine has several. */
  readonly localAddress: string | null
  /** Milliseconds. */
  readonly patience: number
}

export interface Dialled {
  readonly socket: Net.Socket
  /** Fulfilled once it stands: `null`, or why it does not. */
  readonly stands: Promise<unknown>
}

const timedOut = Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT" })

const standing = (socket: Net.Socket, patience: number): Promise<unknown> =>
  new Promise((resolve) => {
    const end = (outcome: unknown) => {
      socket.setTimeout(0)
      socket.removeListener("error", end)
      socket.removeListener("close", onClose)
      resolve(outcome)
    }
    const onClose = () => end(new Error("closed"))
    socket.setTimeout(patience, () => end(timedOut))
    socket.once("error", end)
    socket.once("close", onClose)
    socket.once("connect", () => end(null))
  })

/** Asks the proxy for a connection to the address, which was judged before. */
const throughProxy = async (socket: Net.Socket, proxy: Proxy, address: string, { patience, port }: Dialing) => {
  const broken = await standing(socket, patience)
  if (broken !== null) return broken
  const user = proxy.user === undefined ? {} : { userId: proxy.user, password: proxy.password ?? "" }
  return SocksClient.createConnection({
    proxy: { host: proxy.host, port: proxy.port, type: 5, ...user },
    command: "connect",
    destination: { host: address, port },
    timeout: patience,
    existing_socket: socket
  }).then(
    () => null,
    (error: unknown) => error
  )
}

/** Begins to connect. The socket is the caller's to destroy, whatever comes of it. */
export const dial = (address: string, dialing: Dialing): Dialled => {
  const { localAddress, patience, port, proxy } = dialing
  const local = localAddress === null ? {} : { localAddress }
  const to = proxy === null ? { host: address, port } : { host: proxy.host, port: proxy.port }
  const socket = Net.connect({ ...to, ...local, noDelay: true })
  // Whoever waits learns it below; one that nobody listens to would end the process.
  socket.on("error", () => {})
  return { socket, stands: proxy === null ? standing(socket, patience) : throughProxy(socket, proxy, address, dialing) }
}
