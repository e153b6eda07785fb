/**
 * The ranges in which People Data Labs puts head counts (`201-500`, `10001+`) and revenues (`$25M-$50M`, `$10B+`).
 */
import { Schema } from "effect"
import type { Said } from "@lading/core/waterfall"

const amount = String.raw`\$?(\d+(?:\.\d+)?)([KMB]?)`
const pattern = new RegExp(String.raw`^${amount}(?:\s*[-–]\s*${amount}|\+)$`, "i")

/** A range as the vendor writes it; another spelling is a wrong answer. */
export const Bucket = Schema.String.check(
  Schema.isPattern(pattern, { description: "a range such as 201-500 or $10B+" })
)

const scale: Readonly<Record<string, number>> = { "": 1, K: 1e3, M: 1e6, B: 1e9 }

const size = (digits: string, letter: string | undefined): number =>
  Number(digits) * (scale[(letter ?? "").toUpperCase()] ?? 1)

/** The range in plain numbers, upper bound `null` where it is open; `null` for what is no range. */
export const range = (bucket: string | null): Said.Range | null => {
  const [, min, minScale, max, maxScale] = (bucket === null ? null : pattern.exec(bucket)) ?? []
  if (bucket === null || min === undefined) return null
  return { min: size(min, minScale), max: max === undefined ? null : size(max, maxScale), text: bucket }
}
