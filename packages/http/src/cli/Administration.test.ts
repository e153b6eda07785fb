/**
 * Administration on the command line, as real processes: through the process that owns the folder, and on the folder
 * itself once that is gone. What is asked and what is answered is the same on both ways.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { existsSync, readFileSync, statSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { hostname } from "node:os"
import { join } from "node:path"
import * as CommandLine from "../fixtures/CommandLine.ts"

/** One line, on the error output only, and a code that is not 0. */
const refusedWith = ({ code, stderr, stdout }: CommandLine.Ended): string => {
  assert.deepStrictEqual([code, stdout], [1, ""], stderr)
  assert.match(stderr, /^lading: .*\n$/)
  return stderr.slice("lading: ".length).trim()
}

const text = ({ code, stderr, stdout }: CommandLine.Ended): string => {
  assert.strictEqual(code, 0, stderr)
  return stdout
}

const json = (ended: CommandLine.Ended): any => JSON.parse(text(ended))

describe("administering a folder", () => {
  let data = ""
  let sandbox: CommandLine.Running
  let token = ""
  let request = ""
  const heard: Array<string> = []

  const lading = async (...args: ReadonlyArray<string>): Promise<CommandLine.Ended> => {
    const ended = await CommandLine.run(args, { LADING_DATA_DIR: data })
    heard.push(ended.stdout, ended.stderr)
    return ended
  }

  const owner = async () => JSON.parse(await readFile(join(data, "owner.json"), "utf8"))

  const post = async (route: string, key: string, body: object) => {
    const { url } = await owner()
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    return await fetch(url + route, { method: "POST", headers, body: JSON.stringify(body) })
  }

  beforeAll(async () => {
    data = await CommandLine.folder()
    sandbox = CommandLine.start(["sandbox"], { LADING_DATA_DIR: data, LADING_PORT: "0", LADING_LOG_LEVEL: "trace" })
    await sandbox.printed("Ctrl-C")
    token = (await owner()).token
    const key = (await readFile(join(data, "sandbox-key"), "utf8")).trim()
    const answer = await post("/api/company/enrich", key, { identity: { domains: ["nordvik-robotics.example"] } })
    request = ((await answer.json()) as { request_id: string }).request_id
  })

  afterAll(async () => {
    sandbox.child.kill("SIGKILL")
    await sandbox.ended
    await CommandLine.remove(data)
  })

  const granted = "12.5 available, 0 held, 0 captured, 0 expired, 12.5 granted"

  const grant = (name: string) =>
    ["account", "grant", name, "12.5", "--expires", "30 days", "--reason", "trial", "--key", "once"] as const

  const adjust = (name: string) => ["account", "adjust", name, "-2.25", "--reason", "granted too much"] as const

  const rowOf = (name: string, id: string, available: number) =>
    new RegExp(`^${name} +${id} +\\d{4}-\\d\\d-\\d\\d +${available} +0 +0 +0 +${available}$`, "m")

  /** What is the same on both ways: every command with one JSON value, and nothing else. */
  const asJson = (name: string, subject: string) => {
    let account: any
    let key: any

    it("makes an account, grants, corrects and lists", async () => {
      account = json(await lading("account", "create", name, "--json"))
      assert.deepStrictEqual([Object.keys(account), account.name], [["id", "name", "created_at"], name])
      assert.deepStrictEqual(json(await lading(...grant(name), "--json")), {
        granted: 12.5,
        expired: 0,
        captured: 0,
        held: 0,
        available: 12.5
      })
      assert.strictEqual(json(await lading(...adjust(account.id), "--json")).available, 10.25)
      const list = json(await lading("account", "list", "--json"))
      const { balance, ...listed } = list.find(({ id }: { id: string }) => id === account.id)
      assert.deepStrictEqual([listed, balance.available], [account, 10.25])
    })

    it("sets what an account may send, one limit at a time, and takes it back", async () => {
      const limits = async (...args: ReadonlyArray<string>) =>
        json(await lading("account", "limits", name, ...args, "--json"))
      assert.deepStrictEqual(await limits(), { requests_per_minute: null, requests_at_once: null })
      assert.deepStrictEqual(await limits("--per-minute", "6000"), {
        requests_per_minute: 6000,
        requests_at_once: null
      })
      assert.deepStrictEqual(await limits("--at-once", "0"), { requests_per_minute: 6000, requests_at_once: 0 })
      assert.strictEqual(
        text(await lading("account", "limits", name)),
        `${name} may send, a minute: 6,000; at once: as many as it likes\n`
      )
      const wrong = refusedWith(await lading("account", "limits", name, "--per-minute", "many"))
      assert.match(wrong, /^requests_per_minute: /)
      const none = await limits("--per-minute", "default", "--at-once", "default")
      assert.deepStrictEqual(none, { requests_per_minute: null, requests_at_once: null })
    })

    it("gives back some of what a request was charged, once under a key", async () => {
      const refund = ["account", "refund", "default", request, "--credits", "0.1", "--reason", "test", "--json"]
      const first = json(await lading(...refund, "--key", name))
      assert.deepInclude(first, { request_id: request, amount: 0.1 })
      assert.isAtLeast(first.refunded, 0.1)
      assert.deepStrictEqual(json(await lading(...refund, "--key", name)), first)
      assert.match(
        refusedWith(await lading("account", "refund", name, request, "--reason", "test")),
        /is known that this account was charged under this request id/
      )
    })

    it("makes a key, lists and revokes it", async () => {
      const create = ["key", "create", name, "--label", "partner", "--expires", "2999-01-31", "--json"]
      key = json(await lading(...create, "--scopes", "company, people"))
      assert.match(key.key, /^lad_live_[\w-]{32}$/)
      const { key: _, ...made } = key
      assert.deepStrictEqual(made, {
        id: key.id,
        label: "partner",
        scopes: ["company", "people"],
        expires_at: "2999-01-31T00:00:00.000Z"
      })
      assert.deepStrictEqual(json(await lading("key", "revoke", key.id, "--json")), { id: key.id, revoked: true })
      assert.deepStrictEqual(json(await lading("key", "list", name, "--json")), [{ ...made, revoked: true }])
    })

    it("audits the ledger, replays a request and erases a subject", async () => {
      const { breaches, next_cursor, ...checked } = json(await lading("ledger", "audit", "--account", name, "--json"))
      assert.deepStrictEqual([breaches, next_cursor, checked.accounts, checked.groups], [[], null, 1, 2])
      const report = json(await lading("replay", request, "--json"))
      assert.deepStrictEqual([report.request_id, report.operation, report.same], [request, "company", true])
      const proof = json(await lading("erase", subject, "--json"))
      assert.deepStrictEqual(Object.keys(proof), ["id", "kind", "digest", "erased_at", "erased"])
      assert.deepStrictEqual(
        [proof.kind, Object.keys(proof.erased)],
        [
          "email",
          [
            "webhooks",
            "enrichments",
            "emails",
            "tasks",
            "answers",
            "outcomes",
            "runs",
            "domains",
            "companies",
            "people"
          ]
        ]
      )
      assert.notInclude(JSON.stringify(proof), subject)
    })

    it("refuses with one line, in the same words", async () => {
      assert.strictEqual(refusedWith(await lading("account", "grant", "nobody", "5")), "there is no such account")
      const much = ["account", "adjust", name, "-1000.5", "--reason", "x"]
      assert.strictEqual(refusedWith(await lading(...much)), "1000.5 credits would be taken, 10.25 are available")
    })
  }

  describe("through the process that owns it", () => {
    asJson("north", "mara.ellison@nordvik-robotics.example")

    it("shows accounts as lines and tables", async () => {
      const created = text(await lading("account", "create", "east"))
      const [, id = ""] = /^Account east is (acc_\S+)\n$/.exec(created) ?? assert.fail(created)
      assert.strictEqual(text(await lading(...grant("east"))), `east has ${granted}\n`)
      assert.strictEqual(text(await lading(...grant("east"))), `east has ${granted}\n`)
      assert.include(text(await lading(...adjust("east"))), "east has 10.25 available")
      const table = text(await lading("account", "list"))
      assert.match(table, /^name +id +created +available +held +captured +expired +granted$/m)
      assert.match(table, rowOf("east", id, 10.25))
    })

    it("shows a key, which opens the interface until it is revoked", async () => {
      const shown = text(await lading("key", "create", "east", "--label", "partner"))
      assert.match(shown, /^ {2}scopes +company, people, customs, email, tasks$/m)
      const [, key = ""] = /^ {2}key +(lad_live_[\w-]{32}) {2}\(shown this once/m.exec(shown) ?? assert.fail(shown)
      const [, id = ""] = /^ {2}id +(key_\S+)$/m.exec(shown) ?? assert.fail(shown)
      const body = { identity: { domains: ["acme.example"] } }
      assert.strictEqual((await post("/api/company/enrich", key, body)).status, 200)
      assert.strictEqual(text(await lading("key", "revoke", id)), `Key ${id} is revoked\n`)
      assert.strictEqual((await post("/api/company/enrich", key, body)).status, 401)
      const table = text(await lading("key", "list", "east"))
      assert.match(table, new RegExp(`^${id} +partner +company,people,customs,email,tasks +never +revoked$`, "m"))
      assert.notInclude(table, "lad_live_")
    })

    it("shows audit, replay and proof as lines", async () => {
      const audited = text(await lading("ledger", "audit"))
      assert.match(audited, /^Every rule holds: \d+ accounts, \d+ groups of postings, \d+ holds?\n$/)
      const replayed = text(await lading("replay", request))
      assert.include(replayed, "domain nordvik-robotics.example")
      assert.match(replayed, /^ {2}provider_a +apollo@\S+ +apollo@\S+ +decoded$/m)
      assert.include(replayed, "Everything comes out as it did")
      const proof = text(await lading("erase", "https://linkedin.com/in/nobody-of-note"))
      assert.match(proof, /^ {2}kind +url\n {2}digest +[0-9a-f]{64}$/m)
      assert.match(
        proof,
        /^ {2}erased +0 webhooks, 0 enrichments, 0 emails, 0 tasks, 0 answers, 0 outcomes, 0 runs, 0 domains, 0 companies, 0 people$/m
      )
      assert.notInclude(proof, "nobody-of-note")
    })

    it("goes through every page", async () => {
      const names = Array.from({ length: 105 }, (_, index) => `page-${index}`)
      for (const name of names) {
        await post("/api/admin/accounts", token, { name })
        assert.strictEqual((await post(`/api/admin/accounts/${name}/grants`, token, { amount: 1 })).status, 200)
      }
      const list: ReadonlyArray<{ readonly name: string }> = json(await lading("account", "list", "--json"))
      assert.deepStrictEqual(list.flatMap(({ name }) => (name.startsWith("page-") ? [name] : [])).sort(), names.sort())
      assert.strictEqual(new Set(list.map(({ name }) => name)).size, list.length)
      const { accounts, breaches, groups } = json(await lading("ledger", "audit", "--json"))
      assert.strictEqual(accounts, list.length)
      assert.deepStrictEqual([breaches, groups > 105], [[], true])
    })

    it("says what there is not", async () => {
      assert.strictEqual(refusedWith(await lading("key", "revoke", "key_nobody")), "there is no such key")
      assert.strictEqual(refusedWith(await lading("replay", "req_nobody")), "there is no such run")
    })

    it("asks the owner, who stays the owner", async () => {
      const logged = sandbox.stderr()
      assert.include(logged, '"path":"/api/admin/accounts/:account/grants"')
      assert.include(logged, '"key":"owner"')
      assert.strictEqual((await owner()).pid, sandbox.child.pid)
    })

    it("opens the administration with the token of the folder, and nothing else", async () => {
      assert.strictEqual((await post("/api/admin/accounts", token, { name: "north" })).status, 200)
      assert.strictEqual((await post("/api/company/enrich", token, {})).status, 403)
      assert.strictEqual(statSync(join(data, "owner.json")).mode & 0o777, 0o600)
    })
  })

  describe("on the folder itself, when the owner was killed and left its lock behind", () => {
    beforeAll(async () => {
      sandbox.child.kill("SIGKILL")
      await sandbox.ended
      assert.strictEqual((await owner()).pid, sandbox.child.pid)
    })

    asJson("south", "mara.nilsen@nordvik-robotics.example")

    it("shows the same lines as through the owner", async () => {
      const after = "10.25 available, 0 held, 0 captured, 0 expired, 10.25 granted"
      assert.strictEqual(text(await lading(...grant("south"))), `south has ${after}\n`)
      assert.match(text(await lading("account", "list")), /^south +acc_\S+ +\S+ +10.25 /m)
    })

    it("leaves no lock behind, and the token never anywhere else", async () => {
      assert.isFalse(existsSync(join(data, "owner.json")))
      assert.include(token, "lad_owner_")
      for (const output of [...heard, sandbox.stdout(), sandbox.stderr()]) assert.notInclude(output, token)
      assert.isFalse(await CommandLine.holds(data, token))
    })
  })
})

describe("wrong words", () => {
  const rows: ReadonlyArray<readonly [args: ReadonlyArray<string>, message: RegExp]> = [
    [["account", "grant", "a", "-5"], /^amount: Expected a value greater than 0$/],
    [["account", "grant", "a", "1", "--expires", "soon"], /^expires_at: Expected an instant in ISO 8601/],
    [["account", "adjust", "a", "0", "--reason", " "], /^amount: .* other than 0; reason: Expected a reason/],
    [["account", "adjust", "a", "five", "--reason", "x"], /credits/],
    [["key", "create", "a", "--scopes", "company,root"], /^scopes\[1\]: Expected "company"/]
  ]

  it("are named before anything is opened", async () => {
    // There is no such folder: a command that looked first would say so.
    const environment = { LADING_DATA_DIR: "/dev/null/none" }
    const ended = await Promise.all(rows.map(([args]) => CommandLine.run(args, environment)))
    for (const [index, [, message]] of rows.entries()) assert.match(refusedWith(ended[index]!), message)
  })
})

describe("a folder that nobody has used", () => {
  let home = ""
  beforeAll(async () => {
    home = await CommandLine.folder()
  })
  afterAll(() => CommandLine.remove(home))

  it("is left alone by every command but the one that begins", async () => {
    const data = join(home, "none")
    for (const args of [
      ["account", "list"],
      ["key", "create", "default"]
    ]) {
      const said = refusedWith(await CommandLine.run(args, { LADING_DATA_DIR: data }))
      assert.strictEqual(said, `there is nothing in ${data} yet; lading account create begins`)
    }
    assert.isFalse(existsSync(data))
  })

  it("is begun by two commands at once, one after the other", async () => {
    const data = join(home, "fresh")
    const create = (name: string) => CommandLine.run(["account", "create", name, "--json"], { LADING_DATA_DIR: data })
    const made = (await Promise.all(["a", "b"].map(create))).map(json)
    assert.deepStrictEqual(
      made.map(({ name }) => name),
      ["a", "b"]
    )
    const list = json(await CommandLine.run(["account", "list", "--json"], { LADING_DATA_DIR: data }))
    assert.strictEqual(list.length, 2)
  })

  it("is not what a database server is: that one is asked, and its password not shown", async () => {
    const environment = {
      LADING_DATA_DIR: join(home, "none"),
      LADING_LOG_LEVEL: "error",
      LADING_DATABASE_URL: "postgres://me:hidden-word@127.0.0.1:1/lading"
    }
    const said = refusedWith(await CommandLine.run(["account", "list"], environment))
    assert.include(said, "LADING_DATABASE_URL: the database cannot be used")
    assert.notInclude(said, "hidden-word")
  })
})

describe("an owner that does not answer", () => {
  let data = ""
  beforeAll(async () => {
    data = await CommandLine.folder()
  })
  afterAll(() => CommandLine.remove(data))

  /** A lock of this very process, which lives. */
  const lock = (url: string) => {
    const stat = readFileSync("/proc/self/stat", "utf8")
    const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
    const record = { token: "lad_owner_marker", pid: process.pid, host: hostname(), started, url }
    return writeFile(join(data, "owner.json"), JSON.stringify(record))
  }

  // The lock must look like this very process's, which is told by a start time that only Linux shows.
  it.skipIf(!existsSync("/proc/self/stat"))("is named, be it silent, gone or somebody else", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1")
    const other = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")).listen(
      0,
      "127.0.0.1"
    )
    await Promise.all([once(silent, "listening"), once(other, "listening")])
    const urls = [silent, other].map((server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    })
    for (const url of [...urls, "http://127.0.0.1:1"]) {
      await lock(url)
      const said = refusedWith(await CommandLine.run(["account", "list", "--json"], { LADING_DATA_DIR: data }))
      const where = `process ${process.pid} on ${hostname()} owns ${data}`
      assert.strictEqual(said, `${where} and does not answer on ${url}; try again, or end it`)
    }
    silent.close()
    other.close()
    assert.isFalse(existsSync(join(data, "postgres")))
  })
})
