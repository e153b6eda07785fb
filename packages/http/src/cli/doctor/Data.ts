/** Whether what has to be kept can be kept: the database server, or the data folder and whoever owns it. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Database, Owner } from "@lading/postgres"
import { Effect } from "effect"
import { constants } from "node:fs"
import { access, stat, statfs } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, resolve } from "node:path"
import type { Configuration } from "../../server/Configuration.ts"
import { stores } from "../../server/Variables.ts"
import * as Print from "../Print.ts"
import * as Remote from "../Remote.ts"
import { codeOf } from "../rows/Problem.ts"
import * as Check from "./Check.ts"

const GIB = 2 ** 30

/** Less is soon full of answers and records. */
const LEAST = GIB

/** Milliseconds that a server may take. */
const patience = "10 seconds"

const database = (url: NonNullable<Configuration["databaseUrl"]>) =>
  Database.version(url).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(new Database.DatabaseUnavailable({ problem: `no answer in ${patience}` }))
    }),
    Effect.match({
      onSuccess: (version) =>
        Number.parseInt(version, 10) < 13
          ? Check.make("database", "failed", `PostgreSQL answers, version ${version}; 13 or newer is needed.`)
          : Check.make("database", "ok", `PostgreSQL answers, version ${version}.`),
      onFailure: ({ problem }) =>
        Check.make("database", "failed", `The server of LADING_DATABASE_URL cannot be used: ${problem}.`)
    })
  )

/** The folder, or the one that is there in which it would be made. */
const existing = async (folder: string): Promise<string> => {
  try {
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" })
    return folder
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT" || dirname(folder) === folder) throw cause
    return await existing(dirname(folder))
  }
}

const unusable = (folder: string, code: string): Check.Check =>
  Check.make(
    "data_folder",
    "failed",
    `${folder} cannot be used: ${code}; let this user write there, or choose another LADING_DATA_DIR.`
  )

const usable = (folder: string) =>
  Effect.tryPromise({
    try: async () => {
      const found = await existing(folder)
      await access(found, constants.W_OK | constants.X_OK)
      const says = found === folder ? `${folder} can be written.` : `${folder} is not there; the first start makes it.`
      const { bavail, bsize } = await statfs(found)
      const free = bavail * bsize
      const shown = `${Print.number(Math.round((free / GIB) * 10) / 10)} GiB are free`
      return [
        Check.make("data_folder", "ok", says),
        free < LEAST
          ? Check.make("disk", "warning", `${shown} for ${folder}: make room.`)
          : Check.make("disk", "ok", `${shown}.`)
      ]
    },
    catch: codeOf
  }).pipe(Effect.catch((code) => Effect.succeed([unusable(folder, code)])))

/** What the process says that owns the folder. */
const owned = Effect.fnUntraced(function* (folder: string, owner: Owner.Record) {
  const { host, pid, url } = owner
  const who = `Process ${pid} on ${host} owns ${folder}`
  if (url === null) return Check.make("server", "unknown", `${who} and does not listen yet: try again.`)
  return yield* Remote.reach(folder, owner, url).pipe(
    Effect.flatMap(({ client }) => client.system.ready()),
    Effect.timeout(patience),
    Effect.match({
      onSuccess: ({ status, stores }) => {
        const down = Object.entries(stores).flatMap(([name, state]) => (state === "ok" ? [] : [name]))
        return status === "ok"
          ? Check.make("server", "ok", `${who} and answers on ${url}.`)
          : Check.make("server", "failed", `${who} and is ${status}${down.length === 0 ? "" : `: ${down.join(", ")}`}.`)
      },
      onFailure: () => Check.make("server", "failed", `${who} and does not answer on ${url}: end it, and start anew.`)
    }),
    Effect.provide(NodeHttpClient.layerUndici)
  )
})

/** Whether the server could listen; it does so for a moment. */
const listening = ({ host, port }: Configuration) =>
  Effect.callback<Check.Check>((resume) => {
    const at = `port ${port} of ${host}`
    const server = createServer()
    server.once("error", (cause) => {
      const code = codeOf(cause)
      resume(
        Effect.succeed(
          code === "EADDRINUSE"
            ? Check.make(
                "address",
                "unknown",
                `Somebody listens on ${at}; where it is no server of yours, set LADING_PORT.`
              )
            : Check.make("address", "failed", `This user cannot listen on ${at}: ${code}.`)
        )
      )
    })
    server.listen({ host, port, exclusive: true }, () =>
      server.close(() => resume(Effect.succeed(Check.make("address", "ok", `A server can listen on ${at}.`))))
    )
  })

const inFolder = Effect.fnUntraced(function* (configuration: Configuration, folder: string) {
  const owner = yield* Effect.option(Owner.read(folder))
  const files = yield* usable(folder)
  // Where it cannot be read, the check of the folder says why.
  return owner._tag === "Some" && owner.value !== null
    ? [...files, yield* owned(folder, owner.value)]
    : [...files, yield* listening(configuration)]
})

const vendorKeys = ({ databaseUrl, vaultKey }: Configuration): Check.Check =>
  databaseUrl !== null && vaultKey === null
    ? Check.make("vendor_keys", "off", `Accounts cannot store vendor keys: set ${stores.vaultKey.name}.`)
    : Check.make("vendor_keys", "ok", "Accounts can store vendor keys.")

export const checks = (configuration: Configuration): Effect.Effect<ReadonlyArray<Check.Check>> => {
  const { databaseUrl, dataDir } = configuration
  const kept =
    databaseUrl === null
      ? inFolder(configuration, resolve(dataDir))
      : Effect.all([database(databaseUrl), listening(configuration)])
  return Effect.map(kept, (found) => [...found, vendorKeys(configuration)])
}
