/**
 * The limit: sockets that send what a verifier sends, and look for nothing but codes. It knows the address of each host, asks
 * no name server, reads no text, judges nothing, and expects every host to be well-behaved.
 *
 * The same commands: EHLO, one transaction for each address of a domain, all in one write, one for a name that nobody has
 * where only accepted ones came, and QUIT after as many addresses, and as many refused ones, as a connection may have.
 */
import { MailWorld } from "@lading/testing/mail"
import Net from "node:net"
import { type Job, serve } from "../Job.ts"

interface Question {
  readonly domain: string
  readonly email: string
  readonly isProbe: boolean
}

/** What is known of a domain. */
interface Domain {
  left: number
  accepted: Array<string>
  isStrict: boolean
}

const TRANSACTION = "MAIL FROM:<verify@verifier.test>\r\nRCPT TO:<"

class Host {
  readonly #queue: Array<Question> = []
  readonly #domains = new Map<string, Domain>()
  readonly #said: Record<string, string>

  constructor(said: Record<string, string>) {
    this.#said = said
  }

  add(domain: string, email: string): void {
    const known = this.#domains.get(domain) ?? { left: 0, accepted: [], isStrict: false }
    known.left++
    this.#domains.set(domain, known)
    this.#queue.push({ domain, email, isProbe: false })
  }

  take(most: number): ReadonlyArray<Question> {
    return this.#queue.splice(0, most)
  }

  get isDone(): boolean {
    return this.#queue.length === 0
  }

  hear({ domain, email, isProbe }: Question, code: string): void {
    const known = this.#domains.get(domain)
    if (known === undefined) return
    const taken = code === "250"
    if (isProbe) {
      for (const each of known.accepted) this.#said[each] = taken ? "catch_all" : "safe"
      return
    }
    known.left--
    if (taken) known.accepted.push(email)
    else {
      known.isStrict = true
      this.#said[email] = "invalid"
    }
    if (known.left > 0 || known.accepted.length === 0) return
    if (known.isStrict) for (const each of known.accepted) this.#said[each] = "safe"
    else this.#queue.push({ domain, email: `temilu.rosadiko@${domain}`, isProbe: true })
  }
}

/** One connection after the other, until nothing is left to ask. */
const working = (host: Host, address: string, job: Job): Promise<void> =>
  new Promise((done, fail) => {
    if (host.isDone) return done()
    const socket = Net.connect({ host: address, port: job.port, noDelay: true })
    let asked: ReadonlyArray<Question> = []
    let [questions, refusals] = [0, 0]
    let rest = ""
    /** Codes of replies that are whole. */
    let codes: Array<string> = []
    let awaited = 1
    const ask = () => {
      // What is left of the refused ones would go by ones and twos.
      const left = job.refusals - refusals
      const most = left < job.refusals / 4 ? 0 : Math.min(job.questions - questions, left)
      asked = most > 0 ? host.take(most) : []
      if (asked.length === 0) {
        then = () => {}
        return void socket.end("QUIT\r\n")
      }
      let text = ""
      for (const { email } of asked) text += `${questions++ === 0 ? "" : "RSET\r\n"}${TRANSACTION}${email}>\r\n`
      awaited = (text.match(/\r\n/g) ?? []).length
      socket.write(text)
    }
    const greeted = () => {
      socket.write("EHLO probe.verifier.test\r\n")
      awaited = 1
      then = ask
    }
    const heard = () => {
      const step = codes.length === asked.length * 3 ? 3 : 0
      for (const [at, question] of asked.entries()) {
        // The first transaction of a connection needs no RSET.
        const code = codes[step === 3 ? at * 3 + 2 : at * 3 + 1] ?? ""
        if (code !== "250") refusals++
        host.hear(question, code)
      }
      ask()
    }
    let then = greeted
    socket.on("data", (bytes) => {
      const lines = (rest + bytes.toString("latin1")).split("\r\n")
      rest = lines.pop() ?? ""
      for (const line of lines) if (line[3] !== "-") codes.push(line.slice(0, 3))
      if (codes.length < awaited) return
      if (asked.length > 0) heard()
      else then()
      codes = []
    })
    socket.on("error", fail)
    socket.on("close", () => working(host, address, job).then(done, fail))
  })

serve(async (job, population) => {
  const said: Record<string, string> = {}
  const { addresses, world } = population
  const hosts = new Map<string, { readonly host: Host; readonly address: string }>()
  const serving = new Map<string, Host>()
  for (const { address, domains, name } of MailWorld.plan(world).specs) {
    if (name === "mx.gone.test") continue
    const host = new Host(said)
    hosts.set(name, { host, address })
    for (const domain of Object.keys(domains)) serving.set(domain, host)
  }
  for (const email of addresses) {
    const domain = email.slice(email.indexOf("@") + 1)
    serving.get(domain)?.add(domain, email)
  }
  const all = [...hosts.values()].flatMap(({ address, host }) =>
    Array.from({ length: job.perHost }, () => working(host, address, job))
  )
  await Promise.all(all)
  return { said }
})
