/** Why the database of an installation cannot be used, said of the variable that names it. */
import type { Database } from "@lading/postgres"
import { CannotStart } from "./CannotStart.ts"
import { stores } from "./Variables.ts"

/** Of a PostgreSQL server. */
export const ofServer = ({ problem }: Database.DatabaseUnavailable): CannotStart =>
  new CannotStart({ variable: stores.databaseUrl.name, problem: `the database cannot be used: ${problem}` })

/** Of the embedded one. */
export const inFolder = (folder: string, { problem }: Database.DatabaseUnavailable): CannotStart =>
  new CannotStart({ variable: stores.dataDir.name, problem: `the database in ${folder} does not open: ${problem}` })
