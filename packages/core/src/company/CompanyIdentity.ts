/** Which company is meant: by domain, by name, or both. */
export interface CompanyIdentity {
  /** Lower case, without scheme, `www.` and path; `null` where only a name is known. */
  readonly domain: string | null
  readonly name: string | null
}
