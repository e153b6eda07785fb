/** One account in the same two databases as Lading's, with one statement for a debit. Credits are in millionths. */
import { PGlite } from "@electric-sql/pglite"
import { Pool } from "pg"

export interface Credits {
  /** Whether the account had that much. */
  readonly debit: (amount: number) => Promise<boolean>
  readonly balance: () => Promise<number>
  readonly close: () => Promise<void>
}

const account = "bench"

const table = "create table if not exists accounts (id text primary key, balance bigint not null)"
const grant = "insert into accounts values ($1, $2) on conflict do nothing"
const balance = "select balance from accounts where id = $1"
const debit = "update accounts set balance = balance - $1 where id = $2 and balance >= $1 returning balance"

/** `pg` reads a bigint as a string. */
const balanceOf = ([row]: ReadonlyArray<unknown>): number => Number((row as { readonly balance: unknown }).balance)

export const embedded = async (folder: string, granted: number): Promise<Credits> => {
  const engine = await PGlite.create({ dataDir: folder })
  await engine.query(table)
  await engine.query(grant, [account, granted])
  return {
    debit: async (amount) => (await engine.query(debit, [amount, account])).rows.length === 1,
    balance: async () => balanceOf((await engine.query(balance, [account])).rows),
    close: () => engine.close()
  }
}

export const served = async (url: string, granted: number): Promise<Credits> => {
  // As many connections as Lading's pool has.
  const pool = new Pool({ connectionString: url, max: 10 })
  await pool.query(table)
  await pool.query(grant, [account, granted])
  return {
    debit: async (amount) =>
      (await pool.query({ name: "debit", text: debit, values: [amount, account] })).rowCount === 1,
    balance: async () => balanceOf((await pool.query(balance, [account])).rows),
    close: () => pool.end()
  }
}
