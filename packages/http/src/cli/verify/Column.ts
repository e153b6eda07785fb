/** Which column of a file holds the addresses, told as a server tells it of a list that is sent to it. */
import { Effect, Option } from "effect"
import type { Survey } from "../rows/Input.ts"
import * as Names from "../rows/Names.ts"
import { CannotBegin } from "../rows/Problem.ts"

const vocabulary: Names.Vocabulary<"email"> = {
  email: "email e_mail email_address e_mail_address mail mail_address work_email business_email".split(" ")
}

export interface Column {
  readonly place: number
  /** The names of the columns. */
  readonly header: ReadonlyArray<string>
  /** Whether the first row is none of names, but the first one of addresses. */
  readonly bare: boolean
}

const cannot = (problem: string) => new CannotBegin({ problem })

const places = (header: ReadonlyArray<string>): ReadonlyArray<number> =>
  header.flatMap((cell, place) => (cell.includes("@") ? [place] : []))

export const find = Effect.fnUntraced(function* (
  { header }: Survey,
  columns: Option.Option<string>
): Effect.fn.Return<Column, CannotBegin> {
  const named = Option.isSome(columns) ? yield* Names.mapping(columns.value, vocabulary, "email=Work") : {}
  const missing = Names.missing(header, named)
  if (missing !== null) return yield* cannot(missing)
  const [only, another] = places(header)
  if (Option.isNone(columns) && only !== undefined && another === undefined) {
    const names = header.map((_, place) => (place === only ? "email" : `column_${place + 1}`))
    return { place: only, header: names, bare: true }
  }
  const known = Names.position(header, vocabulary, "email", named)
  if (known !== -1) return { place: known, header, bare: false }
  if (header.length === 1) return { place: 0, header, bare: false }
  return yield* cannot(
    `no column of addresses: found ${Names.listed(header)}; expected one named email, or --columns email=Work`
  )
})

/** In words, so that a wrong guess is seen at once. */
export const told = ({ bare, header, place }: Column): string =>
  bare
    ? `Addresses from column ${place + 1}; the first row is one of them, and no header`
    : `Addresses from ${JSON.stringify(header[place])}`
