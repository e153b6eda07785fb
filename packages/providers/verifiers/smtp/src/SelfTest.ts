/**
 * Whether this machine is one that mail hosts talk to: port 25 is open, our name leads to our address and back, and our
 * sender is somebody whose domain takes mail and lets us send for it. For `lading doctor`.
 */
import { Effect, type Scope } from "effect"
import { promises } from "node:dns"
import type { Prober } from "./Prober.ts"
import type { Settings } from "./Settings.ts"
import * as Spf from "./Spf.ts"

export type Outcome = "ok" | "failed" | "unknown"

export interface Check {
  readonly name: "port_25" | "hello_address" | "reverse_name" | "sender_spf" | "sender_mail"
  readonly outcome: Outcome
  /** What was found and, where it is not well, what to do. */
  readonly says: string
}

const NOT_GIVEN = "Say at which public address this machine (or its proxy) is seen."

const check = (name: Check["name"], outcome: Outcome, says: string): Check => ({ name, outcome, says })

/** Nothing where there is nothing, an error where nobody answers. */
const orNone = async <A>(answer: Promise<ReadonlyArray<A>>): Promise<ReadonlyArray<A>> =>
  answer.catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? error.code : null
    if (code === "ENOTFOUND" || code === "ENODATA") return []
    throw error
  })

const lookupsOf = (resolver: promises.Resolver): Spf.Lookups => ({
  txt: async (name) => (await orNone(resolver.resolveTxt(name))).map((chunks) => chunks.join("")),
  addresses: async (name) =>
    (await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])).flat(),
  mx: async (name) => (await orNone(resolver.resolveMx(name))).map(({ exchange }) => exchange)
})

const helloAddress = async (hello: string, address: string | null, { addresses }: Spf.Lookups): Promise<Check> => {
  const found = await addresses(hello)
  if (found.length === 0) return check("hello_address", "failed", `${hello} has no address: give it one.`)
  if (address === null) return check("hello_address", "unknown", `${hello} leads to ${found.join(", ")}. ${NOT_GIVEN}`)
  return found.includes(address)
    ? check("hello_address", "ok", `${hello} leads to ${address}.`)
    : check("hello_address", "failed", `${hello} leads to ${found.join(", ")}, and not to ${address}.`)
}

const reverseName = async (hello: string, address: string | null, resolver: promises.Resolver): Promise<Check> => {
  if (address === null) return check("reverse_name", "unknown", NOT_GIVEN)
  const names = (await orNone(resolver.reverse(address))).map((name) => name.toLowerCase())
  if (names.length === 0)
    return check("reverse_name", "failed", `${address} has no reverse name: ask whoever gave it for ${hello}.`)
  return names.includes(hello.toLowerCase())
    ? check("reverse_name", "ok", `${address} leads back to ${hello}.`)
    : check("reverse_name", "failed", `${address} leads back to ${names.join(", ")}, and not to ${hello}.`)
}

const spf: Readonly<Record<Spf.Said, readonly [Outcome, string]>> = {
  pass: ["ok", "The SPF record of the sender's domain names this address."],
  fail: ["failed", "The SPF record of the sender's domain does not name this address: add it."],
  none: ["failed", "The sender's domain has no SPF record: publish one that names this address."],
  unknown: ["unknown", "The SPF record of the sender's domain cannot be judged without a message."]
}

const senderSpf = async (domain: string, address: string | null, lookups: Spf.Lookups): Promise<Check> =>
  address === null
    ? check("sender_spf", "unknown", NOT_GIVEN)
    : check("sender_spf", ...spf[await Spf.evaluate(domain, address, lookups)])

const senderMail = async (domain: string, { mx }: Spf.Lookups): Promise<Check> => {
  const hosts = (await mx(domain)).filter((host) => host !== "")
  return hosts.length > 0
    ? check("sender_mail", "ok", `Mail for ${domain} goes to ${hosts.join(", ")}.`)
    : check("sender_mail", "failed", `${domain} has no MX record: hosts refuse a sender who takes no mail.`)
}

const portCheck = (isOpen: boolean): Check =>
  isOpen
    ? check("port_25", "ok", "Mail hosts can be reached.")
    : check(
        "port_25",
        "failed",
        "No mail host can be reached at port 25: ask your provider to open it, or use a proxy."
      )

/** All checks, in an order from what matters most. `address` is the public one that hosts see; `null` where nobody said. */
export const run = Effect.fnUntraced(function* (
  settings: Settings,
  prober: Prober,
  address: string | null
): Effect.fn.Return<ReadonlyArray<Check>, never, Scope.Scope> {
  const resolver = yield* Effect.acquireRelease(
    Effect.sync(() => new promises.Resolver({ timeout: 2_000, tries: 2 })),
    (resolver) => Effect.sync(() => resolver.cancel())
  )
  const { nameServers = [] } = settings.dns ?? {}
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const lookups = lookupsOf(resolver)
  const domain = settings.sender.slice(settings.sender.lastIndexOf("@") + 1)
  const asked = (name: Check["name"], found: Promise<Check>) =>
    found.catch(() => check(name, "unknown", "The name servers gave no answer."))
  const port =
    settings.portHosts?.length === 0
      ? check("port_25", "unknown", "There is no host to try it at: mail hosts are private ones, or at another port.")
      : portCheck(yield* prober.port.check)
  const others = yield* Effect.promise(() =>
    Promise.all([
      asked("hello_address", helloAddress(settings.hello, address, lookups)),
      asked("reverse_name", reverseName(settings.hello, address, resolver)),
      asked("sender_spf", senderSpf(domain, address, lookups)),
      asked("sender_mail", senderMail(domain, lookups))
    ])
  )
  return [port, ...others]
})
