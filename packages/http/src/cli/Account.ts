/** `lading account`: accounts and their credits. */
import { Credits } from "@lading/core/billing"
import { DateTime, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Usage, UsageQuery } from "../api/Account.ts"
import * as Admin from "../api/Admin.ts"
import { administered, type Operations } from "./Administration.ts"
import * as Asked from "./Asked.ts"
import * as Print from "./Print.ts"
import * as Table from "./Table.ts"

const account = Argument.String("account").pipe(Argument.withDescription("Id or name of the account"))

const credits = Argument.Finite("credits").pipe(Argument.withDescription("Credits, with at most six decimals"))

const key = Flag.String("key").pipe(
  Flag.withDescription("Under the same key the account gets this once, however often it is repeated"),
  Flag.optional
)

const create = Command.make(
  "create",
  { name: Argument.String("name").pipe(Argument.withDescription("Name of the account")), json: Asked.json },
  ({ json, name }) =>
    administered(Asked.read(Admin.NewAccount, { name }), ({ createAccount }, { name }) => createAccount(name), {
      begins: true
    }).pipe(
      Effect.flatMap((made) =>
        Print.answer(Admin.Account, made, json, ({ id, name }) => [`Account ${Table.text(name)} is ${id}`])
      )
    )
).pipe(
  Command.withDescription("Create an account, or show the one that has this name already"),
  Command.withShortDescription("Create an account")
)

type Listed = Admin.AccountList["list"]

/** Every page. */
const all = Effect.fnUntraced(function* ({ listAccounts }: Operations) {
  const found: Array<Listed[number]> = []
  for (let after: string | null = ""; after !== null;) {
    const page: Admin.AccountList = yield* listAccounts({ limit: 100, ...(after === "" ? {} : { after }) })
    found.push(...page.list)
    after = page.next_cursor
  }
  return found
})

const number = (amount: Credits.Credits): string => Print.number(Credits.toNumber(amount))

const columns = ["available", "held", "captured", "expired", "granted"] as const

const day = (millis: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis))

const accounts = (list: Listed): ReadonlyArray<string> =>
  list.length === 0
    ? ["There are no accounts"]
    : Table.columns(
        ["name", "id", "created", ...columns],
        list.map(({ balance, created_at, id, name }) => [
          name,
          id,
          day(created_at),
          ...columns.map((column) => number(balance[column]))
        ]),
        columns
      )

const list = Command.make("list", { json: Asked.json }, ({ json }) =>
  Effect.flatMap(administered(Effect.void, all), (found) =>
    Print.answer(Admin.AccountList.fields.list, found, json, accounts)
  )
).pipe(Command.withDescription("List the accounts, each with its balance"))

const balance = (account: string) => (balance: Admin.Balance) => [
  `${account} has ${columns.map((column) => `${number(balance[column])} ${column}`).join(", ")}`
]

const grant = Command.make(
  "grant",
  {
    account,
    credits,
    expires: Asked.expires,
    reason: Flag.String("reason").pipe(Flag.withDescription("Kept with the grant"), Flag.optional),
    key,
    json: Asked.json
  },
  ({ account, credits: amount, expires, json, key, reason }) =>
    administered(
      Effect.gen(function* () {
        const expires_at = Option.isSome(expires) ? yield* Asked.instant(expires.value) : null
        const asked = { amount, expires_at, reason: Option.getOrUndefined(reason), key: Option.getOrUndefined(key) }
        return yield* Asked.read(Admin.Grant, asked)
      }),
      ({ grant }, granted) => grant(account, granted)
    ).pipe(Effect.flatMap((after) => Print.answer(Admin.Balance, after, json, balance(account))))
).pipe(
  Command.withDescription("Give credits to an account"),
  Command.withExamples([
    { command: "lading account grant default 500", description: "For good" },
    { command: 'lading account grant default 500 --expires "30 days" --key march', description: "Once, for a month" }
  ])
)

const adjust = Command.make(
  "adjust",
  {
    account,
    credits: credits.pipe(Argument.withDescription("Credits to add, or to take where the number is negative")),
    reason: Flag.String("reason").pipe(Flag.withDescription("Kept with the adjustment")),
    key,
    json: Asked.json
  },
  ({ account, credits: amount, json, key, reason }) =>
    administered(
      Asked.read(Admin.Adjustment, { amount, reason, key: Option.getOrUndefined(key) }),
      ({ adjust }, adjustment) => adjust(account, adjustment)
    ).pipe(Effect.flatMap((after) => Print.answer(Admin.Balance, after, json, balance(account))))
).pipe(
  Command.withDescription("Correct a balance: add credits, or take some that are available"),
  Command.withShortDescription("Correct a balance"),
  Command.withExamples([
    { command: 'lading account adjust default -5 --reason "granted twice"', description: "Take five credits" }
  ])
)

const given = (account: string) => (refunded: Admin.Refunded) => [
  `${account} is given back ${number(refunded.amount)} of the ${number(refunded.charged)} credits of ${refunded.request_id}, ${number(refunded.refunded)} by now`,
  ...balance(account)(refunded.balance)
]

const refund = Command.make(
  "refund",
  {
    account,
    request: Argument.String("request_id").pipe(
      Argument.withDescription("Id of the request that was charged, as its answer's body has it")
    ),
    credits: Flag.Finite("credits").pipe(
      Flag.withDescription("How many; all that is left of the charge where it is left out"),
      Flag.optional
    ),
    reason: Flag.String("reason").pipe(Flag.withDescription("Kept with the refund")),
    key,
    json: Asked.json
  },
  ({ account, credits, json, key, reason, request }) =>
    administered(
      Asked.read(Admin.Refund, {
        request_id: request,
        amount: Option.getOrNull(credits),
        reason,
        key: Option.getOrUndefined(key)
      }),
      ({ refund }, asked) => refund(account, asked)
    ).pipe(Effect.flatMap((refunded) => Print.answer(Admin.Refunded, refunded, json, given(account))))
).pipe(
  Command.withDescription("Give back what a request was charged, or a part of it"),
  Command.withShortDescription("Refund a request"),
  Command.withExamples([
    { command: 'lading account refund default req_… --reason "wrong company"', description: "All of it" }
  ])
)

const date = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withMetavar("<YYYY-MM-DD>"), Flag.optional)

const used = ({ credits, from, list, requests, to }: Usage): ReadonlyArray<string> => [
  ...(list.length === 0
    ? []
    : [
        ...Table.columns(
          ["day", "operation", "key", "requests", "credits"],
          list.map(({ api_key, credits, day, operation, requests }) => [
            day,
            operation,
            api_key ?? "",
            Print.number(requests),
            number(credits)
          ]),
          ["requests", "credits"]
        ),
        ""
      ]),
  `${from} to ${to}: ${Print.number(requests)} requests, ${number(credits)} credits`
]

const usage = Command.make(
  "usage",
  {
    account,
    from: date("from", "The first day, in UTC; 30 days unless said"),
    to: date("to", "The last day, today unless said"),
    json: Asked.json
  },
  ({ account, from, json, to }) =>
    administered(
      Asked.read(Schema.Struct(UsageQuery), { from: Option.getOrUndefined(from), to: Option.getOrUndefined(to) }),
      ({ usage }, query) => usage(account, query)
    ).pipe(Effect.flatMap((found) => Print.answer(Usage, found, json, used)))
).pipe(
  Command.withDescription("What an account has asked and paid, by day, operation and key"),
  Command.withExamples([
    { command: "lading account usage default --from 2027-01-01 --to 2027-01-31", description: "A month" }
  ])
)

const limit = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(
      `${description}: a number, 0 for as many as it likes, or "default" for what every account may`
    ),
    Flag.optional
  )

/** As the interface has it; what is no number is refused there. */
const limitOf = (text: string): unknown => (text === "default" ? null : /^\d+$/.test(text) ? Number(text) : text)

const askedLimits = (flags: Readonly<Record<string, Option.Option<string>>>) =>
  Asked.read(
    Admin.NewLimits,
    Object.fromEntries(
      Object.entries(flags).flatMap(([name, flag]) => (Option.isSome(flag) ? [[name, limitOf(flag.value)]] : []))
    )
  )

const said = (count: number | null): string => {
  if (count === null) return "as every account"
  return count === 0 ? "as many as it likes" : Print.number(count)
}

const limitLines =
  (account: string) =>
  ({ requests_at_once, requests_per_minute }: Admin.Limits): ReadonlyArray<string> => [
    `${account} may send, a minute: ${said(requests_per_minute)}; at once: ${said(requests_at_once)}`
  ]

const limits = Command.make(
  "limits",
  {
    account,
    perMinute: limit("per-minute", "Requests a minute with all of its keys"),
    atOnce: limit("at-once", "Requests that each server answers at once"),
    json: Asked.json
  },
  ({ account, atOnce, json, perMinute }) =>
    administered(
      askedLimits({ requests_per_minute: perMinute, requests_at_once: atOnce }),
      Effect.fnUntraced(function* ({ limits, setLimits }, asked) {
        const before = yield* limits(account)
        return Object.keys(asked).length === 0 ? before : yield* setLimits(account, { ...before, ...asked })
      })
    ).pipe(Effect.flatMap((after) => Print.answer(Admin.Limits, after, json, limitLines(account))))
).pipe(
  Command.withDescription("Show what an account may send, or set it in place of what every account may"),
  Command.withShortDescription("Show or set what an account may send"),
  Command.withExamples([
    { command: "lading account limits north --per-minute 6000", description: "Ten times the usual limit of a key" },
    { command: "lading account limits north --per-minute default --at-once default", description: "As every account" }
  ])
)

export const command = Command.make("account").pipe(
  Command.withDescription("Accounts and their credits"),
  Command.withSubcommands([create, list, usage, limits, grant, adjust, refund])
)
