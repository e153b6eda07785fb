/** The two servers, each started on a new store as it is meant to be started: Lading by `lading serve`. */
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Job from "./Job.ts"
import * as Process from "./Process.ts"
import * as Store from "./Store.ts"

export const names = ["lading", "fastify"] as const
export type Name = (typeof names)[number]

export interface Contender extends Process.Running {
  readonly name: Name
  readonly url: string
  /** Credits that its account has paid so far, as its own books say. */
  readonly spent: () => Promise<number>
}

export interface Options {
  readonly store: Store.Kind
  /** Addresses of the vendors, at most four. */
  readonly vendors: ReadonlyArray<string>
  readonly credits: number
  readonly flags?: ReadonlyArray<string>
  /** Put over what it is configured with otherwise. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Vendors take the slots in their order. */
const slots = ["provider_a", "provider_b", "provider_c", "provider_d"] as const

/** The last slot works with the caller's own key only. */
const slotEnvironment = (vendors: ReadonlyArray<string>) =>
  Object.fromEntries(
    slots.slice(0, vendors.length).flatMap((slot, index) => {
      const prefix = `LADING_${slot.toUpperCase()}`
      const key = slot === "provider_d" ? [] : [[`${prefix}_API_KEY`, Job.vendorKey]]
      return [[`${prefix}_ADAPTER`, "plain"], [`${prefix}_BASE_URL`, vendors[index]], ...key]
    })
  )

/** See docs/operations.md. */
const ladingEnvironment = ({ credits, vendors }: Options, { folder, url }: Store.Store) => ({
  LADING_PORT: "0",
  LADING_DRAIN_MS: "0",
  LADING_RATE_LIMIT: "0",
  // One account sends all of the load.
  LADING_ACCOUNT_IN_FLIGHT: "0",
  LADING_LOG_FORMAT: "json",
  LADING_DATA_DIR: join(folder, "store"),
  ...(url === null ? {} : { LADING_DATABASE_URL: url }),
  LADING_API_KEY: Job.apiKey,
  LADING_CREDITS: String(credits),
  LADING_SOURCE_ORDER: slots.slice(0, vendors.length).join(","),
  ...slotEnvironment(vendors)
})

const peerEnvironment = ({ credits, vendors }: Options, { folder, url }: Store.Store) => ({
  PEER_DATA_DIR: join(folder, "store"),
  ...(url === null ? {} : { PEER_DATABASE_URL: url }),
  PEER_API_KEY: Job.apiKey,
  PEER_CREDITS: String(credits),
  PEER_VENDORS: vendors.join(" "),
  PEER_VENDOR_KEY: Job.vendorKey
})

const cli = "../../packages/http/src/cli/main.ts"

const execute = promisify(execFile)

/** As an operator asks, beside the running server. There is one account, and nobody is in the middle of anything. */
const ladingSpent = async (environment: Readonly<Record<string, string>>): Promise<number> => {
  const path = fileURLToPath(new URL(cli, import.meta.url))
  const { stdout } = await execute(process.execPath, [path, "account", "list", "--json"], {
    env: Process.environmentOf(environment)
  })
  const [account]: ReadonlyArray<{ readonly balance: { readonly captured: number; readonly held: number } }> =
    JSON.parse(stdout)
  assert(account !== undefined)
  assert.equal(account.balance.held, 0, "every hold is settled")
  return account.balance.captured
}

/** Its store goes with it. */
export const start = async (name: Name, options: Options): Promise<Contender> => {
  await using made = new AsyncDisposableStack()
  const store = made.use(await Store.make(options.store))
  const environment = {
    ...(name === "lading" ? ladingEnvironment(options, store) : peerEnvironment(options, store)),
    ...options.environment
  }
  const running = made.use(
    await Process.start({
      name,
      folder: store.folder,
      command: name === "lading" ? [cli, "serve"] : ["../peers/fastify.ts"],
      environment,
      ...(options.flags === undefined ? {} : { flags: options.flags })
    })
  )
  const all = made.move()
  return {
    ...running,
    name,
    url: running.urls[0] ?? "",
    spent: async () =>
      name === "lading" ? ladingSpent(environment) : options.credits - (await running.ask("balance")),
    [Symbol.asyncDispose]: () => all.disposeAsync()
  }
}

export const startVendors = async (): Promise<Process.Running> => {
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"))
  const running = await Process.start({
    name: "vendors",
    folder,
    command: ["Vendors.ts"],
    environment: { VENDOR_KEY: Job.vendorKey }
  })
  return {
    ...running,
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
