/**
 * Where rows are asked: at the server that is named, through the process that owns the data folder, or here, over the
 * configured vendors or those of the sandbox. A server bills the account of the key; here nothing is billed.
 */
import { Owner } from "@lading/postgres"
import { Effect, Option, type Redacted } from "effect"
import { resolve } from "node:path"
import type { Configuration } from "../../server/Configuration.ts"
import * as Asking from "./Asking.ts"
import * as Here from "./Here.ts"
import { CannotBegin } from "./Problem.ts"

interface Here {
  readonly _tag: "Here"
  /** What a job is recognised by. */
  readonly name: string
  readonly sandbox: boolean
}

interface Server {
  readonly _tag: "Server"
  /** What a job is recognised by: a server on a free port has another address after each start. */
  readonly name: string
  readonly url: string
  readonly apiKey: Redacted.Redacted
}

export type Where = Here | Server

export interface Wanted {
  readonly url: Option.Option<string>
  readonly sandbox: boolean
}

const cannot = (problem: string) => Effect.fail(new CannotBegin({ problem }))

const originOf = (url: string): string | null => {
  try {
    const { origin, protocol } = new URL(url)
    return protocol === "http:" || protocol === "https:" ? origin : null
  } catch {
    return null
  }
}

const server = ({ apiKey }: Configuration, name: string, url: string): Effect.Effect<Where, CannotBegin> =>
  apiKey === null
    ? cannot(`${name} is asked with an API key; put one into LADING_API_KEY`)
    : Effect.succeed({ _tag: "Server", name, url, apiKey })

export const find = Effect.fnUntraced(function* (configuration: Configuration, { sandbox, url }: Wanted) {
  if (Option.isSome(url)) {
    if (sandbox) return yield* cannot("--sandbox asks nobody but simulators in this process; leave out --url")
    const origin = originOf(url.value)
    if (origin === null) return yield* cannot("--url: expected an address such as http://127.0.0.1:8080")
    return yield* server(configuration, origin, origin)
  }
  if (sandbox) return { _tag: "Here", name: "--sandbox", sandbox } satisfies Where
  const folder = resolve(configuration.dataDir)
  const owner = configuration.databaseUrl === null ? yield* Owner.read(folder) : null
  return owner === null || owner.url === null
    ? ({ _tag: "Here", name: "this process", sandbox } satisfies Where)
    : yield* server(configuration, `the server of ${folder}`, owner.url)
})

/** Whoever answers, until the scope closes. */
export const open = (configuration: Configuration, where: Where, verifyEmails: boolean) =>
  where._tag === "Server"
    ? Asking.server(where.url, where.apiKey)
    : Here.open(configuration, { sandbox: where.sandbox, verifyEmails })

/** In words. */
export const told = (where: Where): string =>
  where._tag === "Server"
    ? `Asking ${where.url}; billed to the account of the key`
    : `Asking in ${where.sandbox ? "the sandbox of this process" : "this process"}; nothing is billed`
