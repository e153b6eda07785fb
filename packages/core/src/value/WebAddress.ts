/**
 * Web addresses and profile pages. Sources write them without a scheme, with `www.`, with tracking queries, with a
 * port; shown and compared is one canonical form. A bare handle (`acme`, `@acme`) is no address.
 */

/** `acme.example:8080/p` begins like a scheme, and has none. */
const scheme = /^[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#]|$))/i

/** An `http` or `https` URL, without user and password; a missing scheme becomes `https`. `null` for anything else. */
const read = (trimmed: string): URL | null => {
  if (trimmed === "" || /\s/.test(trimmed)) return null
  const url = URL.parse(scheme.test(trimmed) ? trimmed : `https://${trimmed.replace(/^\/\//, "")}`)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || !url.hostname.includes(".")) {
    return null
  }
  if (url.username !== "") url.username = ""
  if (url.password !== "") url.password = ""
  return url
}

/** An address as it is shown: what `read` takes, in its own spelling otherwise. */
export const parse = (text: string): string | null => {
  const trimmed = text.trim()
  const url = read(trimmed)
  if (url === null) return null
  // `URL` ends a bare host with a slash that nobody wrote.
  return url.pathname === "/" && url.search === "" && url.hash === "" && !trimmed.endsWith("/")
    ? url.href.slice(0, -1)
    : url.href
}

/** Key for comparing addresses: without scheme, `www.`, query, fragment and trailing slashes, in lower case. */
export const key = (url: string): string =>
  withoutSlashes(
    url
      .trim()
      .toLowerCase()
      .replace(/^[a-z]+:\/\//, "")
      .replace(/^www\./, "")
      .replace(/^([^/?#]*)\/profile\.php\?(?:[^#]*&)?id=(\d+).*$/s, "$1/$2")
      .replace(/[?#].*$/s, "")
  )

/** A loop, since `/\/+$/` is quadratic where the slashes are not at the end. */
const withoutSlashes = (text: string): string => {
  let end = text.length
  while (text[end - 1] === "/") end--
  return text.slice(0, end)
}

/** The path under which the page is found; two networks keep it elsewhere: `/#!/acme`, `/profile.php?id=100012`. */
const pathOf = ({ hash, pathname, searchParams }: URL): string => {
  if (hash.startsWith("#!/")) return hash.slice(2).replace(/[?#].*$/s, "")
  const id = pathname.toLowerCase() === "/profile.php" ? searchParams.get("id") : null
  return id !== null && /^\d+$/.test(id) ? `/${id}` : pathname
}

/**
 * A profile page on a network, as `https://www.<network>/…`: no query, no trailing slash, path in lower case (handles
 * do not differ by case), `null` when the address is on another host. Numeric ids are kept as they are.
 */
export const profile = (text: string, hosts: ReadonlyArray<string>): string | null => {
  const url = read(text.trim())
  if (url === null) return null
  const host = url.hostname.toLowerCase()
  const network = hosts.find((name) => host === name || host.endsWith(`.${name}`))
  const path = withoutSlashes(pathOf(url)).toLowerCase()
  return network === undefined || path === "" ? null : `https://www.${hosts[0]}${path}`
}
