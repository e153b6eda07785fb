/** Which person is meant: a name at a company. */
export interface PersonIdentity {
  readonly first_name: string | null
  readonly last_name: string | null
  /** The company's domain: lower case, without scheme, `www.` and path. */
  readonly domain: string | null
}
