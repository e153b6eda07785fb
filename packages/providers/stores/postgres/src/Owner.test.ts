import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import * as Databases from "./fixtures/Databases.ts"
import { Owner } from "./index.ts"

const record = (changes: object) =>
  JSON.stringify({ token: "t", pid: process.pid, host: hostname(), started: "1", url: null, ...changes })

/** The pid of a process that has ended. */
const deadPid = Effect.promise(async () => {
  const child = spawn(process.execPath, ["-e", ""])
  await once(child, "exit")
  return child.pid ?? assert.fail()
})

it.live("the lock names its owner, is refused to others, and is gone with the scope", () =>
  Effect.gen(function* () {
    const folder = yield* Databases.folder
    yield* Effect.scoped(
      Effect.gen(function* () {
        const owner = yield* Owner.lock(folder)
        assert.strictEqual((yield* Owner.read(folder))?.pid, process.pid)
        yield* owner.announce("http://127.0.0.1:8080")
        const error = yield* Effect.flip(Effect.scoped(Owner.lock(folder)))
        assert.isTrue(error instanceof Owner.FolderInUse && error.url === "http://127.0.0.1:8080")
        assert.include(error.message, `${folder} is in use by process ${process.pid}`)
      })
    )
    assert.isFalse(existsSync(join(folder, "owner.json")))
    assert.isNull(yield* Owner.read(folder))
    yield* Effect.scoped(Owner.lock(folder))
  })
)

/** The rights of every file in a folder. */
const rights = (folder: string) => readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)

it.live("the lock holds a token that is new each time, and nobody else may read it", () =>
  Effect.gen(function* () {
    const folder = yield* Databases.folder
    chmodSync(folder, 0o777)
    const tokens: Array<string> = []
    for (const before of [null, record({ pid: yield* deadPid })]) {
      // The lock of an older version, which anybody may read, is not written over but replaced.
      if (before !== null) writeFileSync(join(folder, "owner.json"), before, { mode: 0o644 })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const owner = yield* Owner.lock(folder)
          assert.deepStrictEqual(rights(folder), [0o600])
          yield* owner.announce("http://127.0.0.1:8080")
          assert.deepStrictEqual(rights(folder), [0o600])
          const found = yield* Owner.read(folder)
          const token = Redacted.value(found?.token ?? assert.fail())
          assert.match(token, /^lad_owner_[\w-]{32}$/)
          assert.strictEqual(token, Redacted.value(owner.token ?? assert.fail()))
          tokens.push(token)
          const error = yield* Effect.flip(Effect.scoped(Owner.lock(folder)))
          for (const shown of [JSON.stringify(error), String(error), JSON.stringify(found), String(found)]) {
            assert.notInclude(shown, token)
          }
        })
      )
    }
    assert.notStrictEqual(tokens[0], tokens[1])
  })
)

it.live("of many that come at once one gets the lock, also when a stale one lies there", () =>
  Effect.gen(function* () {
    const pid = yield* deadPid
    for (const stale of [null, record({ pid }), ""]) {
      const folder = yield* Databases.folder
      if (stale !== null) writeFileSync(join(folder, "owner.json"), stale)
      // Unreadable is stale only when it has not been touched for long.
      if (stale === "") utimesSync(join(folder, "owner.json"), 1, 1)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const results = yield* Effect.all(
            Array.from({ length: 20 }, () =>
              Effect.match(Owner.lock(folder), { onFailure: (error) => error._tag, onSuccess: () => "owner" })
            ),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(results.toSorted(), [...Array.from({ length: 19 }, () => "FolderInUse"), "owner"])
        })
      )
    }
  })
)

it.live("the lock of a dead process is stale, and so is one whose pid belongs to another process by now", () =>
  Effect.gen(function* () {
    const folder = yield* Databases.folder
    writeFileSync(join(folder, "owner.json"), record({ pid: yield* deadPid }))
    assert.isNull(yield* Owner.read(folder))
    yield* Effect.scoped(Owner.lock(folder))
    if (!existsSync("/proc/self/stat")) return
    writeFileSync(join(folder, "owner.json"), record({ started: "1" }))
    assert.isNull(yield* Owner.read(folder))
    yield* Effect.scoped(Owner.lock(folder))
  })
)

it.live("the lock of another host holds as long as it is touched", () =>
  Effect.gen(function* () {
    const folder = yield* Databases.folder
    const file = join(folder, "owner.json")
    writeFileSync(file, record({ host: "elsewhere.example", pid: yield* deadPid }))
    const error = yield* Effect.flip(Effect.scoped(Owner.lock(folder)))
    assert.isTrue(error instanceof Owner.FolderInUse && error.host === "elsewhere.example")
    const before = Date.now() / 1000 - 60
    utimesSync(file, before, before)
    yield* Effect.scoped(Owner.lock(folder))
  })
)

it.live("who lost the lock does not remove the new owner's", () =>
  Effect.gen(function* () {
    const folder = yield* Databases.folder
    const file = join(folder, "owner.json")
    yield* Effect.scoped(
      Effect.andThen(
        Owner.lock(folder),
        Effect.sync(() => writeFileSync(file, record({ token: "other" })))
      )
    )
    assert.include(readFileSync(file, "utf8"), "other")
  })
)

it.live("a folder that cannot be used is a typed error", () =>
  Effect.gen(function* () {
    const folder = yield* Databases.folder
    writeFileSync(join(folder, "file"), "")
    const error = yield* Effect.flip(Effect.scoped(Owner.lock(join(folder, "file", "data"))))
    assert.strictEqual(error._tag, "FolderUnusable")
  })
)
