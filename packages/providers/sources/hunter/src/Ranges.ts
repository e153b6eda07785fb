/**
 * Sizes as Hunter writes them: `11-50`, `251-1K`, `10001+`, `$10M-$50M`.
 *
 * Gotchas: the dash may be an en-dash, thousands may carry commas, and the two ends carry their own suffix (`251-1K` is
 * 251 to 1,000). `10-50M` can be read in two ways and is therefore not read at all; nor is another currency than the
 * dollar.
 */
import type { Said } from "@lading/core/waterfall"

const suffixes: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, b: 1e9 }

const pattern = /^(\d+(?:\.\d+)?)([kmb]?)(?:(\+)|[-\u2010-\u2015](\d+(?:\.\d+)?)([kmb]?))?$/

const size = (digits: string, suffix: string): number => Math.round(Number(digits) * (suffixes[suffix] ?? 1))

/** The number or the range that a text stands for; `null` when it stands for neither. */
export const read = (text: string): Said.Estimate | null => {
  const match = pattern.exec(text.replaceAll(/[\s,$]/g, "").toLowerCase())
  if (match === null) return null
  const [, low = "", lowSuffix = "", open, high, highSuffix = ""] = match
  const min = size(low, lowSuffix)
  if (open !== undefined) return { min, max: null, text }
  if (high === undefined) return min
  if (lowSuffix === "" && (highSuffix === "m" || highSuffix === "b")) return null
  const max = size(high, highSuffix)
  return max < min ? null : { min, max, text }
}
