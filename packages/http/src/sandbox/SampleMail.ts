/**
 * Mail hosts of the synthetic population: a real SMTP server and a real name server on loopback, so that the sandbox verifies
 * addresses as production does. Mailboxes are there for the people whom no vendor calls invalid, and for `info`, `sales`,
 * `full` (its mailbox is) and `disabled` of every company; some companies take every name.
 *
 * Gotcha: it knows names below `example` only. Of every other domain the name server says nothing, so that nobody takes an
 * invented answer about a real address for one.
 */
import { Population } from "@lading/testing"
import { MailHosts, NameServer } from "@lading/testing/mail"
import type { Domain, Mailbox, Zone } from "@lading/testing/mail"
import { Effect, type Scope } from "effect"

const ADDRESS = "127.0.0.1"
const HOST = "mx.sandbox.example"

/** Every so manyth company takes every name. */
const TAKES_ALL = 8

const localOf = (address: string): string => address.slice(0, address.lastIndexOf("@"))

const domainOf = (index: number): readonly [string, Domain] => {
  const company = Population.standard.company(index)
  const people = Population.standard
    .peopleOf(company)
    .flatMap(({ work_email, work_email_status }): ReadonlyArray<readonly [string, Mailbox]> =>
      work_email_status === "invalid" ? [] : [[localOf(work_email), "exists"]]
    )
  const mailboxes: Readonly<Record<string, Mailbox>> = {
    info: "exists",
    sales: "exists",
    full: "full",
    disabled: "disabled",
    ...Object.fromEntries(people)
  }
  return [company.domain, { mailboxes, ...(index % TAKES_ALL === TAKES_ALL - 1 ? { persona: "accept_all" } : {}) }]
}

/** Starts them; they stop with the scope. */
export const start: Effect.Effect<{ readonly nameServer: string; readonly port: number }, never, Scope.Scope> =
  Effect.gen(function* () {
    const domains = Object.fromEntries(
      Array.from({ length: Population.standard.companies }, (_, index) => domainOf(index))
    )
    const mail = { mx: [{ preference: 10, exchange: HOST }] }
    const zone: Zone = {
      ...Object.fromEntries(Object.keys(domains).map((domain) => [domain, mail])),
      [HOST]: { a: [ADDRESS] },
      "*.example": { fault: "nxdomain" },
      "*": { fault: "servfail" }
    }
    const { server } = yield* NameServer.start(zone)
    const { port } = yield* MailHosts.start([{ name: HOST, address: ADDRESS, domains }], { records: false })
    return { nameServer: server, port }
  })
