/** The two servers, each started on a new store as it is meant to be started: Lading by `lading serve`. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Job from "./Job.ts"
import * as Process from "./Process.ts"
import * as Store from "./Store.ts"

export const names = ["lading", "fastify"] as const
export type Name = (typeof names)[number]

export interface Contender extends Process.Running {
  readonly name: Name
  readonly url: string
}

export interface Options {
  readonly store: Store.Kind
  /** Addresses of the two vendors. */
  readonly vendors: ReadonlyArray<string>
  readonly credits: number
  readonly flags?: ReadonlyArray<string>
}

/** See docs/operations.md. */
const ladingEnvironment = ({ credits, vendors: [first = "", second = ""] }: Options, { folder, url }: Store.Store) => ({
  LADING_PORT: "0",
  LADING_DRAIN_MS: "0",
  LADING_RATE_LIMIT: "0",
  LADING_LOG_FORMAT: "json",
  LADING_DATA_DIR: join(folder, "store"),
  ...(url === null ? {} : { LADING_DATABASE_URL: url }),
  LADING_API_KEY: Job.apiKey,
  LADING_CREDITS: String(credits),
  LADING_SOURCE_ORDER: "provider_a,provider_b",
  LADING_PROVIDER_A_ADAPTER: "plain",
  LADING_PROVIDER_A_API_KEY: Job.vendorKey,
  LADING_PROVIDER_A_BASE_URL: first,
  LADING_PROVIDER_B_ADAPTER: "plain",
  LADING_PROVIDER_B_API_KEY: Job.vendorKey,
  LADING_PROVIDER_B_BASE_URL: second
})

const peerEnvironment = ({ credits, vendors }: Options, { folder, url }: Store.Store) => ({
  PEER_DATA_DIR: join(folder, "store"),
  ...(url === null ? {} : { PEER_DATABASE_URL: url }),
  PEER_API_KEY: Job.apiKey,
  PEER_CREDITS: String(credits),
  PEER_VENDORS: vendors.join(" "),
  PEER_VENDOR_KEY: Job.vendorKey
})

/** Its store goes with it. */
export const start = async (name: Name, options: Options): Promise<Contender> => {
  await using made = new AsyncDisposableStack()
  const store = made.use(await Store.make(options.store))
  const running = made.use(
    await Process.start({
      name,
      folder: store.folder,
      command: name === "lading" ? ["../../packages/http/src/cli/main.ts", "serve"] : ["../peers/fastify.ts"],
      environment: name === "lading" ? ladingEnvironment(options, store) : peerEnvironment(options, store),
      ...(options.flags === undefined ? {} : { flags: options.flags })
    })
  )
  const all = made.move()
  return { ...running, name, url: running.urls[0] ?? "", [Symbol.asyncDispose]: () => all.disposeAsync() }
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
