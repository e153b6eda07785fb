/** Where a server keeps its accounts: a folder of its own, or a new database on a PostgreSQL server. */
import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"

export const kinds = ["pglite", "postgres"] as const
export type Kind = (typeof kinds)[number]

/** One of the two, there until it is disposed of; the folder is also where the server's log goes. */
export interface Store extends AsyncDisposable {
  readonly folder: string
  /** `null` for the embedded database in the folder. */
  readonly url: string | null
}

const server = process.env["LADING_TEST_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/postgres"

const administer = async (statement: string): Promise<void> => {
  const client = new Client({ connectionString: server, connectionTimeoutMillis: 3000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Whether a PostgreSQL answers at `LADING_TEST_POSTGRES` or on this machine. */
export const isServerUp = (): Promise<boolean> =>
  administer("select 1").then(
    () => true,
    () => false
  )

export const make = async (kind: Kind): Promise<Store> => {
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"))
  const clear = () => rm(folder, { recursive: true, force: true })
  if (kind === "pglite") return { folder, url: null, [Symbol.asyncDispose]: clear }
  const name = `lading_bench_${randomUUID().replaceAll("-", "")}`
  await administer(`create database ${name}`)
  return {
    folder,
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    [Symbol.asyncDispose]: async () => {
      await administer(`drop database ${name} with (force)`)
      await clear()
    }
  }
}
