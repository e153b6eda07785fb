/** `lading ledger audit`: whether every rule of the ledger holds on what is really stored. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Admin from "../api/Admin.ts"
import { administered, type Operations } from "./Administration.ts"
import * as Asked from "./Asked.ts"
import * as Failure from "./Failure.ts"
import * as Print from "./Print.ts"
import * as Table from "./Table.ts"

/** Accounts that are asked for at once: an answer has to come in time, however much is kept of each. */
const limit = 20

/** All pages as one. */
export const all = Effect.fnUntraced(function* ({ audit }: Operations) {
  const page = (after?: string) => audit(after === undefined ? { limit } : { limit, after })
  let found = yield* page()
  while (found.next_cursor !== null) {
    const next: Admin.Audit = yield* page(found.next_cursor)
    found = {
      accounts: found.accounts + next.accounts,
      groups: found.groups + next.groups,
      holds: found.holds + next.holds,
      breaches: [...found.breaches, ...next.breaches],
      next_cursor: next.next_cursor
    }
  }
  return found
})

const counted = (count: number, noun: string): string => `${Print.number(count)} ${noun}${count === 1 ? "" : "s"}`

/** What was looked at. */
export const checked = ({ accounts, groups, holds }: Admin.Audit): string =>
  `${counted(accounts, "account")}, ${counted(groups, "group")} of postings, ${counted(holds, "hold")}`

const lines = (audit: Admin.Audit): ReadonlyArray<string> => {
  const { breaches } = audit
  if (breaches.length === 0) return [`Every rule holds: ${checked(audit)}`]
  const rows = breaches.map(({ account, detail, invariant, subject }) => [invariant, account, subject, detail])
  return [...Table.columns(["rule", "account", "where", "what"], rows), "", `Checked: ${checked(audit)}`]
}

const audit = Command.make(
  "audit",
  {
    account: Flag.String("account").pipe(Flag.withDescription("Only this account, by id or name"), Flag.optional),
    json: Asked.json
  },
  ({ account, json }) =>
    Effect.gen(function* () {
      const found = yield* administered(Effect.void, (operations) =>
        Option.match(account, { onNone: () => all(operations), onSome: (one) => operations.audit({ account: one }) })
      )
      yield* Print.answer(Admin.Audit, found, json, lines)
      const broken = found.breaches.length
      if (broken > 0)
        return yield* new Failure.CommandFailed({
          message: `the ledger breaks its rules in ${counted(broken, "place")}`
        })
    })
).pipe(
  Command.withDescription("Check every rule of the ledger on what is really stored; exit code 1 where one is broken"),
  Command.withShortDescription("Check every rule of the ledger")
)

export const command = Command.make("ledger").pipe(
  Command.withDescription("The ledger of credits"),
  Command.withSubcommands([audit])
)
