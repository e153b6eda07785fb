/**
 * Web addresses and profile pages. Sources write them without a scheme, with `www.`, with tracking queries, or as the
 * bare handle; shown and compared is one canonical form.
 */

/** An `http` or `https` URL; a missing scheme becomes `https`. `null` for anything else. */
export const parse = (text: string): string | null => {
  const trimmed = text.trim()
  if (trimmed === "" || /\s/.test(trimmed)) return null
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed.replace(/^\/\//, "")}`)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || !url.hostname.includes("."))
    return null
  // `URL` ends a bare host with a slash that nobody wrote.
  return url.pathname === "/" && url.search === "" && !trimmed.endsWith("/") ? url.href.slice(0, -1) : url.href
}

/** Key for comparing addresses: without scheme, `www.`, query, fragment and trailing slash, in lower case. */
export const key = (url: string): string =>
  url
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, "")
    .replace(/^www\./, "")
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "")

/**
 * A profile page on a network, as `https://www.<network>/…`: no query, no trailing slash, path in lower case (handles
 * do not differ by case), `null` when the address is on another host. Numeric ids are kept as they are.
 */
export const profile = (text: string, hosts: ReadonlyArray<string>): string | null => {
  const address = parse(text)
  if (address === null) return null
  const url = new URL(address)
  const host = url.hostname.toLowerCase()
  const network = hosts.find((name) => host === name || host.endsWith(`.${name}`))
  const path = url.pathname.replace(/\/+$/, "").toLowerCase()
  return network === undefined || path === "" ? null : `https://www.${hosts[0]}${path}`
}
