/**
 * A real Postfix, where it is installed: an instance of its own with its folders in a temporary one, which takes mail for
 * some domains and answers at a port on loopback. The system's instance is neither asked nor touched.
 *
 * Gotcha: Postfix starts as root only, and gives its processes away to the user `postfix`.
 */
import { Effect, type Scope } from "effect"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** Where Debian puts it, whatever the `PATH` is. */
const environment = { ...process.env, PATH: `/usr/sbin:/sbin:${process.env["PATH"] ?? ""}` }

const run = (command: string, ...args: ReadonlyArray<string>) => execute(command, [...args], { env: environment })

/** What it says to RCPT of a domain. */
export interface PostfixDomain {
  /** Local parts that have a mailbox. */
  readonly mailboxes?: ReadonlyArray<string>
  /** Every name has one. */
  readonly takesAll?: boolean
  /** Local parts that get a reply of their own, such as `450 4.2.0 Greylisted`. */
  readonly replies?: Readonly<Record<string, string>>
}

export interface Postfix {
  /** In 127.0.0.0/8. */
  readonly address: string
  readonly port: number
  /** `3.7.11` */
  readonly version: string
}

/** Why none can be started here; `null` where one can. */
export const problem: Effect.Effect<string | null> = Effect.promise(async () => {
  if (process.getuid?.() !== 0) return "only root can start Postfix"
  return run("postconf", "-h", "mail_version").then(
    () => null,
    () => "Postfix is not installed"
  )
})

const address = "127.0.0.1"

const mainOf = (
  folder: string,
  domains: Readonly<Record<string, PostfixDomain>>
): Readonly<Record<string, string>> => ({
  compatibility_level: "3.6",
  queue_directory: join(folder, "queue"),
  data_directory: join(folder, "data"),
  maillog_file: join(folder, "log"),
  maillog_file_prefixes: folder,
  myhostname: "mx.postfix.test",
  mydestination: "",
  inet_interfaces: address,
  inet_protocols: "ipv4",
  // Not even its own machine may relay.
  mynetworks: "",
  smtpd_peername_lookup: "no",
  alias_maps: "",
  local_recipient_maps: "",
  virtual_mailbox_base: folder,
  virtual_mailbox_domains: Object.keys(domains).join(" "),
  virtual_mailbox_maps: `texthash:${join(folder, "mailboxes")}`,
  smtpd_relay_restrictions: "reject_unauth_destination",
  smtpd_recipient_restrictions: `check_recipient_access texthash:${join(folder, "replies")}`,
  // Whoever asks much in one connection is slowed down by default.
  smtpd_error_sleep_time: "0"
})

/** What answers for recipients, and nothing that would deliver. */
const masterOf = (port: number): string => `
${address}:${port} inet n - n - - smtpd
rewrite unix - - n - - trivial-rewrite
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
anvil unix - - n - 1 anvil
error unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
proxymap unix - - n - - proxymap
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
`

const lines = (entries: Iterable<readonly [key: string, value: string]>): string =>
  [...entries].map(([key, value]) => `${key} ${value}\n`).join("")

const write = async (folder: string, port: number, domains: Readonly<Record<string, PostfixDomain>>) => {
  const mailboxes = Object.entries(domains).flatMap(([domain, { mailboxes = [], replies = {}, takesAll = false }]) =>
    [...mailboxes, ...Object.keys(replies), ...(takesAll ? [""] : [])].map((local): readonly [string, string] => [
      `${local}@${domain}`,
      `${domain}/${local}`
    ])
  )
  const replies = Object.entries(domains).flatMap(([domain, { replies = {} }]) =>
    Object.entries(replies).map(([local, reply]): readonly [string, string] => [`${local}@${domain}`, reply])
  )
  const main = Object.entries(mainOf(folder, domains)).map(([name, value]): readonly [string, string] => [
    `${name} =`,
    value
  ])
  // Its own user reads here.
  await chmod(folder, 0o755)
  await mkdir(join(folder, "queue"))
  await writeFile(join(folder, "main.cf"), lines(main))
  await writeFile(join(folder, "master.cf"), masterOf(port))
  await writeFile(join(folder, "mailboxes"), lines(mailboxes))
  await writeFile(join(folder, "replies"), lines(replies))
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = Net.createServer().once("error", reject)
    server.listen(0, address, () => {
      const at = server.address()
      server.close(() => resolve(typeof at === "object" && at !== null ? at.port : 0))
    })
  })

/** Whether it greets. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = Net.connect(port, address)
    const end = (greeted: boolean) => {
      socket.destroy()
      resolve(greeted)
    }
    socket.setTimeout(2_000, () => end(false))
    socket.once("error", () => end(false))
    socket.once("data", (bytes) => end(bytes.toString("latin1").startsWith("220")))
  })

/** Looks for it so often, with 100 ms between. */
const LOOKS = 300

interface Instance extends Postfix {
  readonly folder: string
  readonly child: ChildProcess
}

const begin = async (domains: Readonly<Record<string, PostfixDomain>>): Promise<Instance> => {
  const folder = await mkdtemp(join(tmpdir(), "lading-postfix-"))
  const port = await freePort()
  await write(folder, port, domains)
  await run("install", "-d", "-o", "postfix", join(folder, "data"))
  const { stdout } = await run("postconf", "-h", "mail_version")
  const child = spawn("postfix", ["-c", folder, "start-fg"], { env: environment, stdio: ["ignore", "pipe", "pipe"] })
  let said = ""
  for (const output of [child.stdout, child.stderr])
    output.setEncoding("utf8").on("data", (text: string) => (said += text))
  const instance = { address, port, version: stdout.trim(), folder, child }
  for (let look = 0; look < LOOKS; look++) {
    if (await greets(port)) return instance
    if (child.exitCode !== null) break
    await setTimeout(100)
  }
  await end(instance)
  throw new Error(`Postfix does not start: ${said}`)
}

/** Its master ends its children. */
const end = async ({ child, folder }: Pick<Instance, "child" | "folder">): Promise<void> => {
  if (child.exitCode === null) {
    const gone = once(child, "exit")
    await run("postfix", "-c", folder, "stop").catch(() => child.kill("SIGKILL"))
    await gone
  }
  await rm(folder, { recursive: true, force: true })
}

/** Starts one for these domains; it stops with the scope. */
export const start = (domains: Readonly<Record<string, PostfixDomain>>): Effect.Effect<Postfix, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => begin(domains)),
    (instance) => Effect.promise(() => end(instance))
  )
