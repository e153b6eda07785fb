/** All checks together. They are made at once, since some wait for others' machines. */
import { Effect, Schema } from "effect"
import type { Configuration } from "../../server/Configuration.ts"
import { Check } from "./Check.ts"
import * as Customs from "./Customs.ts"
import * as Data from "./Data.ts"
import * as Limits from "./Limits.ts"
import * as Mail from "./Mail.ts"
import * as Settings from "./Settings.ts"
import * as Sources from "./Sources.ts"

export const Report = Schema.Struct({ healthy: Schema.Boolean, checks: Schema.Array(Check) })
export type Report = typeof Report.Type

/** What is done only where it is wanted. */
export interface Wanted {
  /** Vendors are asked whether they take the platform's keys, with questions that cost nothing. */
  readonly tryKeys: boolean
}

export const make = (configuration: Configuration, { tryKeys }: Wanted): Effect.Effect<Report> =>
  Effect.map(
    Effect.all(
      [
        Effect.succeed(Settings.checks(configuration)),
        Data.checks(configuration),
        Limits.checks(configuration),
        Customs.checks(configuration),
        Sources.checks(configuration, tryKeys),
        Mail.checks(configuration)
      ],
      { concurrency: "unbounded" }
    ),
    (found) => {
      const checks = found.flat()
      return { healthy: checks.every(({ outcome }) => outcome !== "failed"), checks }
    }
  )
