/**
 * From what is configured to the verifier of mail addresses. Each is imported when it is chosen and not before: the lists of
 * the own one are large.
 */
import { EmailVerifier } from "@lading/core/email"
import type { Settings, Verifier } from "@lading/smtp"
import { Effect, Layer, Redacted, Result } from "effect"
import type { HttpClient } from "effect/http"
import { readFile } from "node:fs/promises"
import { CannotStart } from "./CannotStart.ts"

export const names = ["smtp", "reoon", "none"] as const
export type Name = (typeof names)[number]

export interface Options {
  readonly verifier: Name | null
  readonly hello: string | null
  readonly sender: string | null
  readonly publicAddress: string | null
  readonly localAddress: string | null
  readonly proxy: Redacted.Redacted | null
  readonly nameServers: ReadonlyArray<string> | null
  /** Files. */
  readonly rules: string | null
  readonly lists: string | null
  /** JSON, see `LimitChanges` of `@lading/smtp`. */
  readonly limits: string | null
  readonly connections: number
  readonly zones: ReadonlyArray<string> | null
  readonly privateHosts: boolean
  readonly port: number
  readonly reoonKey: Redacted.Redacted | null
  readonly reoonUrl: string | null
  /** Whether the mail hosts are simulated ones, which need no patience: only in the sandbox. */
  readonly simulated: boolean
}

/** What is chosen: by name, else the own one where it has a name to say. */
export const chosen = ({ hello, verifier }: Options): Name => verifier ?? (hello === null ? "none" : "smtp")

/** What is said to whoever asks where nobody verifies. */
const remedy =
  "this server has no verifier: set LADING_SMTP_HELO and LADING_SMTP_FROM, or LADING_VERIFIER=reoon and its key (docs/email.md)"

const cannot = (variable: string, problem: string) => new CannotStart({ variable, problem })

const load = <A>(name: Name, module: () => Promise<A>): Effect.Effect<A, CannotStart> =>
  Effect.tryPromise({
    try: module,
    catch: (cause) =>
      cannot(
        "LADING_VERIFIER",
        `${name} cannot be loaded: ${cause instanceof Error ? cause.message : "unknown reason"}`
      )
  })

const textOf = (variable: string, path: string): Effect.Effect<string, CannotStart> =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (cause) => {
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason"
      return cannot(variable, `${path}: ${code === "ENOENT" ? "there is no such file" : `cannot be read: ${code}`}`)
    }
  })

/** What stands in a file of the operator's, where there is one. */
const readFrom = <A>(
  variable: string,
  path: string | null,
  parse: (file: string, text: string) => Effect.Effect<A, { readonly file: string; readonly problem: string }>,
  none: A
): Effect.Effect<A, CannotStart> =>
  path === null
    ? Effect.succeed(none)
    : Effect.flatMap(textOf(variable, path), (text) =>
        Effect.mapError(parse(path, text), ({ file, problem }) =>
          cannot(variable, `${file}: ${problem.replaceAll("\n", "; ")}`)
        )
      )

const proxyOf = (proxy: Redacted.Redacted): NonNullable<Settings.Settings["proxy"]> => {
  const { hostname, password, port, username } = new URL(Redacted.value(proxy))
  const host = hostname.replace(/^\[|\]$/g, "")
  const user = username === "" ? {} : { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  return { host, port: port === "" ? 1080 : Number(port), ...user }
}

const everyAddress = () => true

/** How the own verifier is set up. */
const settingsOf = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Settings.Settings, CannotStart> {
  const { connections, hello, localAddress, nameServers, port, privateHosts, proxy, sender, simulated, zones } = options
  if (hello === null) return yield* cannot("LADING_SMTP_HELO", "the verifier smtp needs it: mail hosts are told a name")
  if (sender === null)
    return yield* cannot("LADING_SMTP_FROM", "the verifier smtp needs it: mail hosts are told a sender")
  // Strangers' hosts say nothing of whether those of one's own network can be reached, or those at another port.
  const portHosts = privateHosts || port !== 25 ? { portHosts: [] } : {}
  return {
    hello,
    sender,
    port,
    connections,
    dns: {
      ...(nameServers === null ? {} : { nameServers }),
      ...(privateHosts ? { permit: everyAddress } : {})
    },
    ...portHosts,
    ...(zones === null ? {} : { zones }),
    ...(localAddress === null ? {} : { localAddress }),
    ...(proxy === null ? {} : { proxy: proxyOf(proxy) }),
    ...(simulated ? { limits: { connectEvery: 0, askEvery: 0 } } : {})
  }
})

/** How the own verifier is set up, with the operator's own rules and lists. */
interface Own extends Required<Pick<Verifier.Options, "classifier" | "lists">> {
  readonly settings: Settings.Settings
}

export const own = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Own, CannotStart> {
  const { Lists } = yield* load("smtp", () => import("@lading/core/email/lists"))
  const { Classifier, LimitChanges, ListFile, RuleFile, Settings } = yield* load("smtp", () => import("@lading/smtp"))
  const providerLimits = LimitChanges.parse(options.limits ?? "{}")
  if (Result.isFailure(providerLimits))
    return yield* cannot("LADING_SMTP_LIMITS", providerLimits.failure.replaceAll("\n", "; "))
  const settings = { ...(yield* settingsOf(options)), providerLimits: providerLimits.success }
  const wrong = Settings.problem(settings)
  if (wrong !== null) return yield* cannot(wrong.startsWith("HELO") ? "LADING_SMTP_HELO" : "LADING_SMTP_FROM", wrong)
  const rules = yield* readFrom("LADING_SMTP_RULES", options.rules, RuleFile.parse, [])
  const lists = yield* readFrom("LADING_EMAIL_LISTS", options.lists, ListFile.parse, {})
  return { settings, classifier: Classifier.make(rules), lists: Lists.make(lists) }
})

const smtp = Effect.fnUntraced(function* (options: Options) {
  const { Verifier } = yield* load("smtp", () => import("@lading/smtp"))
  const { settings, ...judging } = yield* own(options)
  return Verifier.layer(settings, judging).pipe(
    Layer.catchTag("EmailVerifierUnavailable", ({ problem }) =>
      Layer.effectContext(Effect.fail(cannot("LADING_VERIFIER", problem)))
    )
  )
})

const reoon = Effect.fnUntraced(function* ({ reoonKey: key, reoonUrl }: Options) {
  if (key === null) return yield* cannot("LADING_REOON_API_KEY", "LADING_VERIFIER=reoon needs it")
  const { make } = yield* load("reoon", () => import("@lading/reoon"))
  return Layer.effect(EmailVerifier.EmailVerifier, make({ key, ...(reoonUrl === null ? {} : { baseUrl: reoonUrl }) }))
})

export const layer = (
  options: Options
): Layer.Layer<EmailVerifier.EmailVerifier, CannotStart, HttpClient.HttpClient> => {
  switch (chosen(options)) {
    case "smtp":
      return Layer.unwrap(smtp(options))
    case "reoon":
      return Layer.unwrap(reoon(options))
    case "none":
      return EmailVerifier.layerAbsent(remedy)
  }
}
