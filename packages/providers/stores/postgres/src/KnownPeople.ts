/** People that are known, in PostgreSQL, sealed; of each name at a domain the last that was said. */
import { KnownPeople } from "@lading/core/person"
import { Mentions } from "@lading/core/value"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as Erasing from "./Erasing.ts"
import * as Int8 from "./Int8.ts"
import { Seal } from "./Seal.ts"
import { swept } from "./Sweep.ts"

const unavailable = (problem: string) => new KnownPeople.KnownPeopleUnavailable({ problem })

const Text = Schema.fromJsonString(KnownPeople.KnownPerson)
const decode = Schema.decodeOption(Text)
const encode = Schema.encodeSync(Text)

interface Row {
  readonly domain: string
  readonly account: string
  readonly person: string
  readonly sealed: Uint8Array
}

const placeOf = ({ account, domain, person }: Omit<Row, "sealed">): string => `person ${domain} ${account} ${person}`

const domainOf = (domain: string): string => digestOf(`people:${KnownPeople.ownerOf(domain)}`)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { open, seal } = yield* Seal

  /** One statement: the list of those who have objected is read by it, and whoever is too many goes with it. */
  const put = Effect.fnUntraced(function* (
    known: KnownPeople.KnownPerson,
    { account, kept_until }: KnownPeople.Keeping
  ): Effect.fn.Return<void, KnownPeople.KnownPeopleUnavailable> {
    const row = {
      domain: domainOf(known.company_domain),
      account: account ?? "",
      person: digestOf(`person:${KnownPeople.nameOf(known)}`)
    }
    const subjects = Mentions.of(known).map(digestOf)
    const at = Int8.from(yield* Clock.currentTimeMillis)
    yield* bounded(
      sql`with written as (
          insert into lading.known_people (domain, account, person, sealed, at, kept_until, subjects)
          select ${row.domain}::text, ${row.account}::text, ${row.person}::text, ${seal(encode(known), placeOf(row))}::bytea,
            ${at}::bigint, ${Int8.from(kept_until)}::bigint, ${subjects}::text[]
          where not exists (select 1 from lading.suppressions where digest = any(${subjects}::text[]))
          on conflict (domain, account, person) do update
            set sealed = excluded.sealed, at = excluded.at, kept_until = excluded.kept_until, subjects = excluded.subjects
        )
        delete from lading.known_people where domain = ${row.domain} and account = ${row.account} and person in (
          select person from lading.known_people
          where domain = ${row.domain} and account = ${row.account} and person <> ${row.person}
          order by at desc, person offset ${KnownPeople.MOST - 1})`,
      unavailable
    )
  })

  const at = Effect.fnUntraced(function* (domain: string, account: string) {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* bounded(
      sql<Row>`select domain, account, person, sealed from lading.known_people
        where domain = ${domainOf(domain)} and account in ('', ${account}) and kept_until > ${Int8.from(now)}`,
      unavailable
    )
    const opened = (isOwn: boolean) =>
      rows.flatMap((row) => {
        if ((row.account !== "") !== isOwn) return []
        const text = open(row.sealed, placeOf(row))
        return text === null ? [] : Option.toArray(decode(text))
      })
    return KnownPeople.seen(opened(true), opened(false))
  })

  const erase = (handles: ReadonlyArray<string>) => bounded(Erasing.rows(sql, "known_people", handles), unavailable)

  const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    swept((limit) =>
      bounded(
        sql`delete from lading.known_people where (domain, account, person) in (
          select domain, account, person from lading.known_people where kept_until <= ${Int8.from(now)} limit ${limit})
          returning 1`,
        unavailable
      )
    )
  )

  return KnownPeople.KnownPeople.of({ put, at, erase, sweep })
})

export const layer: Layer.Layer<KnownPeople.KnownPeople, never, SqlClient.SqlClient | Seal> = Layer.effect(
  KnownPeople.KnownPeople,
  make
)
