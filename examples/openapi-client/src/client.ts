/** A client over the types that `npm run generate` makes of the document of a server. */
import createClient, { type Client } from "openapi-fetch"
import type { components, paths } from "./lading.d.ts"

export type Lading = Client<paths>

/** Every request carries the key. */
export const connect = (baseUrl: string, apiKey: string): Lading =>
  createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } })

type Refusal = Pick<components["schemas"]["ErrorBody"], "error">

/** What a request was refused with; `code` is what a program decides by. */
export class Refused extends Error {
  readonly code: Refusal["error"]["code"]
  readonly retryable: boolean
  readonly status: number
  constructor(status: number, { error }: Refusal) {
    super(error.message)
    this.name = "Refused"
    this.code = error.code
    this.retryable = error.retryable
    this.status = status
  }
}

/** The answer, or the refusal as an error that is thrown. */
export const answer = <Data>({
  data,
  error,
  response
}: {
  readonly data?: Data
  readonly error?: Refusal | { readonly status: string } | undefined
  readonly response: Response
}): Data => {
  if (data !== undefined) return data
  if (error !== undefined && "error" in error) throw new Refused(response.status, error)
  throw new Error(`The server answered ${response.status}`)
}
