/**
 * Hunter gives a profile as its handle; the domain wants the profile's address.
 *
 * Gotchas: a company's LinkedIn handle comes with its kind (`company/nordvik`), a person's without; a Crunchbase handle
 * comes both with `organization/` and without. A handle that is an address already stays as it is.
 */

/** `null` for no handle; else the address under `host`, with `kind` put before a handle that names none. */
const address =
  (host: string, kind: string) =>
  (profile: { readonly handle?: string | null | undefined } | null | undefined): string | null => {
    const handle = (profile?.handle ?? "").trim().replace(/^[@/]+/, "")
    if (handle === "") return null
    if (/^https?:\/\//i.test(handle)) return handle
    return `https://${host}/${kind !== "" && !handle.includes("/") ? `${kind}/` : ""}${handle}`
  }

export const linkedinCompany = address("www.linkedin.com", "company")
export const linkedinPerson = address("www.linkedin.com", "in")
export const twitter = address("twitter.com", "")
export const facebook = address("www.facebook.com", "")
export const instagram = address("www.instagram.com", "")
export const crunchbase = address("www.crunchbase.com", "organization")
