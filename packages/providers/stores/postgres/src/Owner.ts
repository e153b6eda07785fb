/**
 * The owner of an embedded folder. Two processes on one folder lose acknowledged rows without an error, so the first
 * one writes `owner.json` there and the second one is refused, naming the owner.
 *
 * A lock outlives a killed process; it is stale when its pid is gone, or belongs to another process by now (told apart
 * by the start time that Linux shows). Where the pid cannot be judged, since the lock comes from another host or
 * container that shares the folder, the owner's heartbeat is: it touches the file every few seconds.
 *
 * The file also holds a random token, by which a command that can read the folder is recognised by its owner. Only the
 * user who wrote it may read it.
 *
 * Gotchas: the file appears whole, by a hard link of a finished one, so that nobody reads half of it. Taking over a
 * stale lock happens under a second lock (`owner.takeover`), or else two late-comers could each remove the other's.
 */
import { Clock, Context, Effect, Equal, Layer, Option, Redacted, Schedule, Schema, type Scope } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"

/** What stands in `owner.json`. */
const Record = Schema.Struct({
  /** New with every owner. */
  token: Schema.RedactedFromValue(Schema.String, { label: "owner token" }),
  pid: Schema.Int,
  host: Schema.String,
  /** Start time of the process in the kernel's ticks since boot; `null` where the system does not tell. */
  started: Schema.NullOr(Schema.String),
  /** Where the owner listens, once it does. */
  url: Schema.NullOr(Schema.String)
})
export type Record = typeof Record.Type

/** Another process owns the folder. */
export class FolderInUse extends Schema.TaggedError<FolderInUse>()("FolderInUse", {
  folder: Schema.String,
  pid: Schema.Int,
  host: Schema.String,
  url: Schema.NullOr(Schema.String)
}) {
  override get message(): string {
    return `${this.folder} is in use by process ${this.pid} on ${this.host}`
  }
}

/** The folder cannot be created, read or written. */
export class FolderUnusable extends Schema.TaggedError<FolderUnusable>()("FolderUnusable", {
  folder: Schema.String,
  problem: Schema.String
}) {}

export class Owner extends Context.Service<
  Owner,
  {
    /** What stands in `owner.json`; `null` where no folder is owned. */
    readonly token: Redacted.Redacted | null
    /** Tells other processes where this one listens. */
    readonly announce: (url: string) => Effect.Effect<void, FolderUnusable>
  }
>()("@lading/postgres/Owner") {}

const heartbeat = 5_000
/** A lock of another host without a heartbeat for so long is stale. */
const silence = 6 * heartbeat

/** The rights of a file that holds a token. */
const ownersOnly = 0o600

const fileOf = (folder: string) => join(folder, "owner.json")

const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "unknown")

const attempt = <A>(folder: string, run: () => Promise<A>): Effect.Effect<A, FolderUnusable> =>
  Effect.tryPromise({ try: run, catch: (cause) => new FolderUnusable({ folder, problem: codeOf(cause) }) })

/** `null` where there is no such process or no `/proc`. The 22nd field counts from behind the command's brackets. */
const startedAt = (pid: number): Promise<string | null> =>
  fs.readFile(`/proc/${pid}/stat`, "utf8").then(
    (stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null,
    () => null
  )

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // EPERM: it lives, and belongs to somebody else.
    return codeOf(cause) === "EPERM"
  }
}

const Text = Schema.fromJsonString(Record)
const decode = Schema.decodeUnknownOption(Text)
const encode = Schema.encodeSync(Text)

interface Found {
  readonly record: Record | null
  readonly touched: number
}

const find = (path: string): Promise<Found | null> =>
  Promise.all([fs.readFile(path, "utf8"), fs.stat(path)]).then(
    ([text, { mtimeMs }]) => ({ record: Option.getOrNull(decode(text)), touched: mtimeMs }),
    (cause) => (codeOf(cause) === "ENOENT" ? null : Promise.reject(cause))
  )

const isLive = async ({ record, touched }: Found, now: number): Promise<boolean> => {
  // Unreadable: no version of this program wrote it whole.
  if (record === null) return now - touched < silence
  if (record.host !== hostname()) return now - touched < silence
  if (!exists(record.pid)) return false
  const started = await startedAt(record.pid)
  return record.started === null || started === null || record.started === started
}

/** The live owner of a folder, or `null`. */
export const read = (folder: string): Effect.Effect<Record | null, FolderUnusable> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    attempt(folder, async () => {
      const found = await find(fileOf(folder))
      return found !== null && (await isLive(found, now)) ? found.record : null
    })
  )

/** Makes `to` a whole copy of `text` if there is no `to` yet; tells whether it did. */
const createWhole = async (to: string, text: string): Promise<boolean> => {
  const draft = `${to}.${randomUUID()}`
  await fs.writeFile(draft, text, { mode: ownersOnly })
  try {
    await fs.link(draft, to)
    return true
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false
    throw cause
  } finally {
    await fs.unlink(draft)
  }
}

const replaceWhole = async (to: string, text: string): Promise<void> => {
  const draft = `${to}.${randomUUID()}`
  await fs.writeFile(draft, text, { mode: ownersOnly })
  await fs.rename(draft, to)
}

/** `true` when the lock is ours now, the live owner when it is not, `null` when somebody else is taking over. */
const tryLock = async (folder: string, mine: Record, now: number): Promise<true | Found | null> => {
  const file = fileOf(folder)
  const guard = join(folder, "owner.takeover")
  const text = encode(mine)
  if (await createWhole(file, text)) return true
  const found = await find(file)
  if (found === null) return null
  if (await isLive(found, now)) return found
  if (!(await createWhole(guard, text))) {
    const other = await find(guard)
    if (other !== null && !(await isLive(other, now))) await fs.rm(guard, { force: true })
    return null
  }
  try {
    const again = await find(file)
    if (again !== null && (await isLive(again, now))) return again
    await replaceWhole(file, text)
    return true
  } finally {
    await fs.rm(guard, { force: true })
  }
}

const acquire = Effect.fnUntraced(function* (folder: string) {
  yield* attempt(folder, () => fs.mkdir(folder, { recursive: true }))
  const started = yield* Effect.promise(() => startedAt(process.pid))
  const token = Redacted.make(`lad_owner_${randomBytes(24).toString("base64url")}`, { label: "owner token" })
  const mine: Record = { token, pid: process.pid, host: hostname(), started, url: null }
  for (let round = 0; round < 20; round++) {
    const now = yield* Clock.currentTimeMillis
    const result = yield* attempt(folder, () => tryLock(folder, mine, now))
    if (result === true) return mine
    if (result?.record) {
      const { host, pid, url } = result.record
      return yield* new FolderInUse({ folder, host, pid, url })
    }
    yield* Effect.sleep("25 millis")
  }
  return yield* new FolderUnusable({ folder, problem: "owner.json cannot be judged" })
})

const release = (folder: string, mine: Record) =>
  Effect.ignore(
    attempt(folder, async () => {
      const found = await find(fileOf(folder))
      if (found?.record && Equal.equals(found.record.token, mine.token)) await fs.unlink(fileOf(folder))
    })
  )

/** Owns the folder until the scope closes. */
export const lock = (folder: string): Effect.Effect<Owner["Service"], FolderInUse | FolderUnusable, Scope.Scope> =>
  Effect.gen(function* () {
    const mine = yield* Effect.acquireRelease(acquire(folder), (record) => release(folder, record))
    const touch = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.ignore(attempt(folder, () => fs.utimes(fileOf(folder), now / 1000, now / 1000)))
    )
    yield* Effect.forkScoped(Effect.repeat(touch, Schedule.spaced(heartbeat)))
    return {
      token: mine.token,
      announce: (url) => attempt(folder, () => replaceWhole(fileOf(folder), encode({ ...mine, url })))
    }
  })

export const layer = (folder: string): Layer.Layer<Owner, FolderInUse | FolderUnusable> =>
  Layer.effect(Owner, lock(folder))
