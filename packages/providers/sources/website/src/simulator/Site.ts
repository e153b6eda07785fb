/**
 * The web site of a synthetic company: what stands at each path, as a pure function. Sites are of several kinds, so that
 * a reader meets what the web is made of: markup for machines or none, old encodings, redirects, compression, and
 * owners who do not want robots.
 */
import { Population } from "@lading/testing"
import { gzipSync } from "node:zlib"

export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export type Kind = "json_ld" | "open_graph" | "plain" | "latin" | "compressed" | "forbidden"

const kinds: ReadonlyArray<Kind> = ["json_ld", "open_graph", "plain", "latin", "compressed", "json_ld", "forbidden"]

/** Nordvik Robotics has everything, Acme Robotics has OpenGraph only; the others follow from their names. */
export const kindOf = ({ slug }: Population.Company): Kind => {
  if (slug === "nordvik-robotics") return "json_ld"
  if (slug === "acme-robotics") return "open_graph"
  const sum = Array.from(slug).reduce((total, letter) => (Math.imul(total, 31) + letter.charCodeAt(0)) >>> 0, 7)
  return kinds[sum % kinds.length] ?? "plain"
}

/** What the site's owner knows and says. */
const SEED = 133

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

interface Document {
  readonly title: string
  readonly head: string
  readonly body: string
}

const html = (language: string, { body, head, title }: Document): string => `<!doctype html>
<html lang="${language}">
<head>
<title>${escaped(title)}</title>
${head}
</head>
<body>
<nav><a href="/">Home</a> <a href="/about-us">About us</a> <a href="/products">Products</a> <a href="/contact">Contact</a></nav>
${body}
<footer><a href="/imprint">Imprint</a></footer>
</body>
</html>
`

const tag = (name: string, content: string | null): string =>
  content === null ? "" : `<meta name="${name}" content="${escaped(content)}">\n`

const property = (name: string, content: string | null): string =>
  content === null ? "" : `<meta property="${name}" content="${escaped(content)}">\n`

const defined = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

/** With a scheme, as links have to be. */
const absolute = (address: string): string => (/^https?:/.test(address) ? address : `https://www.${address}`)

const profiles = ({ social }: Population.CompanyView): ReadonlyArray<string> =>
  [social.linkedin, social.twitter, social.facebook, social.instagram].flatMap((one) =>
    one === null ? [] : absolute(one)
  )

/** As plugins for search engines write it: a graph, in which the page names its publisher. */
const linkedData = (view: Population.CompanyView): string => {
  const { hq } = view
  const home = `https://www.${view.domain}/`
  const organization = defined({
    "@type": ["Organization", "Corporation"],
    "@id": `${home}#organization`,
    name: view.name,
    legalName: view.legal_name,
    url: home,
    description: view.description,
    foundingDate: view.founded_year === null ? null : `${view.founded_year}-01-01`,
    numberOfEmployees: view.employees === null ? null : { "@type": "QuantitativeValue", value: view.employees },
    telephone: view.phones[0],
    email: view.emails[0],
    sameAs: profiles(view),
    address:
      hq === null
        ? null
        : defined({
            "@type": "PostalAddress",
            streetAddress: hq.street,
            postalCode: hq.postal_code,
            addressLocality: hq.city,
            addressRegion: hq.state,
            addressCountry: hq.country_code
          }),
    founder: { "@type": "Person", name: "Somebody Invented" }
  })
  const graph = [
    {
      "@type": "WebSite",
      "@id": `${home}#website`,
      url: home,
      name: view.name,
      publisher: { "@id": `${home}#organization` }
    },
    organization,
    { "@type": "Review", author: { "@type": "Organization", name: "A Customer Ltd", url: "https://customer.example/" } }
  ]
  return `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", "@graph": graph })}</script>`
}

/** Marks of what the site is made with. */
const marks = `<meta name="generator" content="WordPress 6.6">
<script src="https://www.googletagmanager.com/gtag/js?id=G-SYNTHETIC1" async></script>
<script src="/wp-content/plugins/x/jquery.min.js"></script>
<link rel="stylesheet" href="/wp-content/themes/x/style.css">`

const trunk: Readonly<Record<string, RegExp>> = {
  GB: /^\+44 ?/,
  DE: /^\+49 ?/,
  FR: /^\+33 ?/,
  SE: /^\+46 ?/,
  AU: /^\+61 ?/
}

/** As a site without markup for machines writes it: to its own country. */
const national = (phone: string, country: string | undefined): string => {
  const code = trunk[country ?? ""]
  return code !== undefined && code.test(phone) ? phone.replace(code, "0") : phone
}

const phone = (kind: Kind, written: string, country: string | undefined): string =>
  kind === "plain" || kind === "latin"
    ? `<p>Telephone: ${national(written, country)}</p>`
    : `<p>Tel.: <a href="tel:${written.replaceAll(" ", "")}">${written}</a></p>`

const contacts = (kind: Kind, view: Population.CompanyView): string =>
  [
    ...view.emails.map((email) => `<p><a href="mailto:${email}?subject=Hello">${email}</a></p>`),
    ...view.phones.map((one) => phone(kind, one, view.hq?.country_code)),
    "<p>Fax: +44 20 7946 0999</p>",
    '<p>Our designers: <a href="mailto:studio@agency.example">studio@agency.example</a></p>'
  ].join("\n")

const addressBlock = ({ hq, legal_name, name }: Population.CompanyView): string =>
  hq === null
    ? ""
    : `<div>${escaped(legal_name ?? name)}<br>${escaped(hq.street)}<br>${escaped(
        hq.country_code === "US"
          ? `${hq.city}, ${hq.city === "Chicago" ? "IL" : "NY"} ${hq.postal_code}`
          : hq.country_code === "GB"
            ? `${hq.city} ${hq.postal_code}`
            : `${hq.postal_code} ${hq.city}`
      )}<br>${escaped(hq.country)}</div>`

const founded = (view: Population.CompanyView): string =>
  view.founded_year === null ? "" : `<p>${escaped(view.name)} was founded in ${view.founded_year}.</p>`

const socialLinks = (view: Population.CompanyView): string =>
  [
    `<a href="https://www.linkedin.com/shareArticle?url=https://${view.domain}/">Share</a>`,
    ...profiles(view).map((url) => `<a href="${url}" rel="me noopener">Follow us</a>`)
  ].join("\n")

const home = (kind: Kind, view: Population.CompanyView): Document => {
  const description = view.description ?? null
  const shared = `<h1>${escaped(view.name)}</h1>\n<p>${escaped(description ?? "Welcome.")}</p>`
  switch (kind) {
    case "json_ld":
    case "compressed":
    case "forbidden":
      return {
        title: `Home - ${view.name}`,
        head: `${tag("description", description)}${linkedData(view)}\n${marks}`,
        body: shared
      }
    case "open_graph":
      return {
        title: view.name,
        head:
          property("og:site_name", view.name) +
          property("og:title", view.name) +
          property("og:description", description) +
          tag("keywords", view.keywords.join(", ")),
        body: `${shared}\n${socialLinks(view)}`
      }
    case "plain":
    case "latin":
      return {
        title: `${view.name} | Welcome`,
        head: tag("description", description),
        body: `${shared}\n${socialLinks(view)}`
      }
  }
}

const page = (path: string, kind: Kind, view: Population.CompanyView): Document | null => {
  const titled = (title: string, body: string): Document => ({ title: `${title} - ${view.name}`, head: "", body })
  switch (path) {
    case "/":
      return home(kind, view)
    case "/contact":
      return titled("Contact", `<h1>Contact</h1>\n${contacts(kind, view)}\n<address>${addressBlock(view)}</address>`)
    case "/about-us":
      return titled("About us", `<h1>About us</h1>\n${founded(view)}`)
    case "/imprint":
      return titled("Imprint", `<h1>Imprint</h1>\n${addressBlock(view)}`)
    case "/products":
      return titled("Products", "<h1>Products</h1>")
    default:
      return null
  }
}

const languages: Readonly<Record<string, string>> = {
  NO: "nb-NO",
  GB: "en-GB",
  DE: "de-DE",
  FR: "fr-FR",
  SE: "sv-SE",
  AU: "en-AU"
}

/** Windows-1252, for texts of western Europe. */
const latin = (text: string): Uint8Array =>
  Uint8Array.from(Array.from(text), (letter) =>
    letter === "’" ? 0x92 : letter.charCodeAt(0) < 256 ? letter.charCodeAt(0) : 0x3f
  )

const encoded = (kind: Kind, text: string): Pick<Response, "headers" | "body"> => {
  switch (kind) {
    case "latin":
      return {
        headers: { "content-type": "text/html" },
        body: latin(
          text.replace("<head>", '<head>\n<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">')
        )
      }
    case "compressed":
      return {
        headers: { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" },
        body: gzipSync(text)
      }
    default:
      return { headers: { "content-type": "text/html; charset=utf-8" }, body: text }
  }
}

const moved = (to: string): Response => ({ status: 301, headers: { location: to }, body: "moved" })

export const notFound: Response = {
  status: 404,
  headers: { "content-type": "text/html" },
  body: "<!doctype html><title>Not found</title><h1>Not found</h1>"
}

const robots = (kind: Kind): Response => ({
  status: 200,
  headers: { "content-type": "text/plain" },
  body: kind === "forbidden" ? "User-agent: *\nDisallow: /\n" : "User-agent: *\nDisallow: /admin/\n"
})

/** What the server of `host` says at `path`, where anybody has that host. */
export const respond = (population: Population.SyntheticPopulation, host: string, path: string): Response => {
  const bare = host.toLowerCase().replace(/^www\./, "")
  const company = population.companyByDomain(bare)
  const view = company === null ? null : Population.viewCompany(SEED, company)
  if (company === null || view === null) return notFound
  if (bare !== company.domain) return moved(`https://${company.domain}${path}`)
  const kind = kindOf(company)
  // Half of the sites are at home under www.
  const canonical = kind === "json_ld" || kind === "compressed" ? `www.${bare}` : bare
  if (host.toLowerCase() !== canonical) return moved(`https://${canonical}${path}`)
  if (path === "/robots.txt") return robots(kind)
  const document = page(path, kind, view)
  if (document === null) return notFound
  const { body, headers } = encoded(kind, html(languages[company.hq.country_code] ?? "en", document))
  return { status: 200, headers: { server: "nginx", ...headers }, body }
}
