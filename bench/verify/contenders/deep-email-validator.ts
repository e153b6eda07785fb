/**
 * `deep-email-validator`, as many addresses at a time as there may be connections.
 *
 * It has no option for a port or a name server, so its own process is bent, and its code is left as it is: `node:dns` asks the
 * local name server, and `net.createConnection(25, host)` goes to the port of the mail hosts, whose name it looks up there
 * too (once for each connection, as a resolver without a cache does). Guessing at typing errors is off: ours has none here.
 */
import { validate } from "deep-email-validator"
import Dns from "node:dns"
import Net, { type LookupFunction } from "node:net"
import { serve } from "../Job.ts"

const lookup: LookupFunction = (name, options, done) =>
  Dns.resolve4(name, (error, [address = ""] = []) =>
    options.all === true ? done(error, [{ address, family: 4 }]) : done(error, address, 4)
  )

serve(async (job, population) => {
  Dns.setServers([job.nameServer])
  const connect = Net.connect
  Object.assign(Net, { createConnection: (_: number, host: string) => connect({ port: job.port, host, lookup }) })
  const said: Record<string, string> = {}
  const addresses = population.addresses.values()
  const work = async () => {
    for (const email of addresses) {
      const { valid } = await validate({ email, sender: "verify@verifier.test", validateTypo: false })
      said[email] = valid ? "valid" : "invalid"
    }
  }
  await Promise.all(Array.from({ length: job.connections }, work))
  return { said }
})
