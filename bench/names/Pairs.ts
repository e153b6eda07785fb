/**
 * Labelled pairs of names: one trader's, or two traders'. The companies are invented, by hand for this purpose. Every other
 * pair of a kind is kept aside: what is tuned is tuned on the others.
 */
import { readFile } from "node:fs/promises"

export interface Labelled {
  readonly same: boolean
  readonly kind: string
  readonly name: string
  readonly country: string | null
  readonly other: string
  readonly other_country: string | null
  readonly aside: boolean
}

const said = (text: string | undefined): string | null => (text === undefined || text === "" ? null : text)

/** `pairs.tsv`; fails on a line that is not one. */
export const read = async (): Promise<ReadonlyArray<Labelled>> => {
  const text = await readFile(new URL("pairs.tsv", import.meta.url), "utf8")
  const seen = new Map<string, number>()
  return text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line, index): Labelled => {
      const [answer, kind, name, country, other, other_country] = line.split("\t")
      if (
        (answer !== "same" && answer !== "different") ||
        said(kind) === null ||
        said(name) === null ||
        said(other) === null
      ) {
        throw new Error(
          `pairs.tsv, line ${index + 2}: expected answer, kind, name, country, other name and its country`
        )
      }
      const group = `${answer} ${kind}`
      const number = seen.get(group) ?? 0
      seen.set(group, number + 1)
      return {
        same: answer === "same",
        kind: kind ?? "",
        name: name ?? "",
        country: said(country),
        other: other ?? "",
        other_country: said(other_country),
        aside: number % 2 === 1
      }
    })
}
