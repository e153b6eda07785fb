/** Where customs records would come from, and whether that can be reached. */
import { Effect } from "effect"
import type { Configuration } from "../../server/Configuration.ts"
import * as TradeStores from "../../server/TradeStores.ts"
import * as Check from "./Check.ts"

const name = "customs"

const isInstalled = (specifier: string): boolean => {
  try {
    import.meta.resolve(specifier)
    return true
  } catch {
    return false
  }
}

const folder = (): Check.Check =>
  isInstalled("chdb")
    ? Check.make(name, "ok", "Records are in the data folder; the package chdb is installed.")
    : Check.make(
        name,
        "failed",
        "Records are in the data folder, and the package chdb is not installed: npm install chdb@3."
      )

const isOlder = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major < 26 || (major === 26 && minor < 2)
}

const server = Effect.fnUntraced(function* ({ clickhouseCluster: cluster, clickhouseUrl: url }: Configuration) {
  if (url === null) return Check.make(name, "failed", "LADING_TRADE is clickhouse: set LADING_CLICKHOUSE_URL.")
  const { Engine } = yield* Effect.promise(() => import("@lading/clickhouse"))
  return yield* Engine.version(url, { cluster, time: 8 }).pipe(
    Effect.match({
      onSuccess: (version) =>
        isOlder(version)
          ? Check.make(name, "failed", `ClickHouse answers, version ${version}; 26.2 or newer is needed.`)
          : Check.make(name, "ok", `ClickHouse answers, version ${version}.`),
      onFailure: ({ problem }) =>
        Check.make(name, "failed", `The server of LADING_CLICKHOUSE_URL cannot be used: ${problem}.`)
    })
  )
})

export const checks = (configuration: Configuration): Effect.Effect<ReadonlyArray<Check.Check>> => {
  const chosen = TradeStores.chosen(configuration)
  switch (chosen) {
    case "clickhouse":
      return Effect.map(server(configuration), (check) => [check])
    case "chdb":
      return Effect.sync(() => [folder()])
    case "none":
      return Effect.succeed([
        Check.make(name, "off", "There are none: import some with `lading import`, or set LADING_CLICKHOUSE_URL.")
      ])
    case "demo":
    case "sample":
      return Effect.succeed([Check.make(name, "warning", `LADING_TRADE is ${chosen}: the records are invented ones.`)])
  }
}
