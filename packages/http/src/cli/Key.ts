/** `lading key`: the API keys of accounts. */
import { DateTime, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Admin from "../api/Admin.ts"
import { administered } from "./Administration.ts"
import * as Asked from "./Asked.ts"
import * as Print from "./Print.ts"
import * as Table from "./Table.ts"

const account = Argument.String("account").pipe(Argument.withDescription("Id or name of the account"))

const until = (expires_at: number | null): string =>
  expires_at === null ? "never" : DateTime.formatIso(DateTime.makeUnsafe(expires_at))

const made = ({ expires_at, id, key, scopes }: Admin.MadeKey): ReadonlyArray<string> => [
  `  key       ${key === null ? "" : Redacted.value(key)}  (shown this once; only its digest is kept)`,
  `  id        ${id}`,
  `  scopes    ${scopes.join(", ")}`,
  `  expires   ${until(expires_at)}`
]

const create = Command.make(
  "create",
  {
    account,
    scopes: Flag.String("scopes").pipe(
      Flag.withDescription("What the key may do, with commas between; everything but admin unless said"),
      Flag.withMetavar("<company,people>"),
      Flag.optional
    ),
    label: Flag.String("label").pipe(Flag.withDescription("What you call it"), Flag.withDefault("")),
    expires: Asked.expires,
    json: Asked.json
  },
  ({ account, expires, json, label, scopes }) =>
    administered(
      Effect.gen(function* () {
        return yield* Asked.read(Admin.NewKey, {
          label,
          expires_at: Option.isSome(expires) ? yield* Asked.instant(expires.value) : null,
          scopes: Option.isSome(scopes) ? scopes.value.split(",").map((scope) => scope.trim()) : undefined
        })
      }),
      ({ createKey }, asked) => createKey(account, asked)
    ).pipe(Effect.flatMap((key) => Print.answer(Admin.MadeKey, key, json, made)))
).pipe(Command.withDescription("Make an API key; it is shown this once"))

const keys = (list: Admin.KeyList["list"]): ReadonlyArray<string> =>
  list.length === 0
    ? ["There are no keys"]
    : Table.columns(
        ["id", "label", "scopes", "expires", "state"],
        list.map(({ expires_at, id, label, revoked, scopes }) => [
          id,
          label,
          scopes.join(","),
          until(expires_at),
          revoked ? "revoked" : ""
        ])
      )

const list = Command.make("list", { account, json: Asked.json }, ({ account, json }) =>
  administered(Effect.void, ({ listKeys }) => listKeys(account)).pipe(
    Effect.flatMap(({ list }) => Print.answer(Admin.KeyList.fields.list, list, json, keys))
  )
).pipe(Command.withDescription("List the API keys of an account, revoked and expired ones too"))

const revoke = Command.make(
  "revoke",
  { key: Argument.String("key").pipe(Argument.withDescription("Id of the key, as list shows it")), json: Asked.json },
  ({ json, key }) =>
    administered(Effect.void, ({ revokeKey }) => revokeKey(key)).pipe(
      Effect.flatMap((revoked) => Print.answer(Admin.RevokedKey, revoked, json, ({ id }) => [`Key ${id} is revoked`]))
    )
).pipe(Command.withDescription("Revoke an API key: it opens nothing from now on"))

export const command = Command.make("key").pipe(
  Command.withDescription("The API keys of accounts"),
  Command.withSubcommands([create, list, revoke])
)
