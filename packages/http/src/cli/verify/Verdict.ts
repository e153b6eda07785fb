/** What becomes of a row: the verdict on its address, or why there is none. */
import { EmailResult, Typo } from "@lading/core/email"
import { Struct } from "effect"
import type * as Layout from "../rows/Layout.ts"

export interface Verdict {
  readonly result: EmailResult.EmailResult | null
  /** Why there is no result; empty where there is one. */
  readonly error: string
}

const fields = Struct.keys(EmailResult.EmailResult.fields)

const text = (value: string | boolean | null | undefined): string => (value === null ? "" : String(value ?? ""))

/** The fields of the interface by their names; what was probably meant where a domain takes no mail; and the error. */
export const columns: ReadonlyArray<Layout.Column<Verdict>> = [
  ...fields.map((head) => ({ head, cell: ({ result }: Verdict) => text(result?.[head]) })),
  { head: "did_you_mean", cell: ({ result }) => (result === null ? "" : (Typo.ofResult(result) ?? "")) },
  { head: "error", cell: ({ error }) => error }
]

/** The same as members of a line of JSON. */
export const line = ({ error, result }: Verdict): object => ({
  result,
  did_you_mean: result === null ? null : Typo.ofResult(result),
  error
})
