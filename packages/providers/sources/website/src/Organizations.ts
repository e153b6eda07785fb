/**
 * The organizations that a page's JSON-LD (schema.org) speaks of, cut down to what is read of them.
 *
 * Gotchas
 * - A page names many: its publisher, but also authors, customers, partners. Only what stands at the top, in `@graph`, or
 *   is the page's `publisher`, `mainEntity` or `about` can be the company; the rest is not looked at.
 * - Members that may speak of people (`founder`, `employee`, `review`) are left out.
 */

/** JSON that was cut down: names of `kept` only, bounded in depth, width and length. */
export interface Node {
  readonly [name: string]: unknown
}

const MOST = { depth: 5, list: 30, text: 2_000, nodes: 10_000, organizations: 10 }

const kept = new Set(
  (
    "@type @id name legalName alternateName url description foundingDate numberOfEmployees telephone email address " +
    "contactPoint location sameAs keywords streetAddress addressLocality addressRegion postalCode addressCountry " +
    "contactType value minValue maxValue @value"
  ).split(" ")
)

/** Where a page says whose it is. */
const leads = ["@graph", "publisher", "mainEntity", "mainEntityOfPage", "about"]

const organization =
  /(?:^|[/:#])(?:[A-Za-z]*(?:Organization|Business|Store|Agency|Dealer|Service|Corporation|Company)|NGO|Airline|Consortium|Hotel|Restaurant|Attorney|Notary|Dentist|Physician|Hospital|Pharmacy|Brewery|Winery|BankOrCreditUnion|Library|School|CollegeOrUniversity)$/

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

/** A value as a list. */
export const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** JSON as sites write it: in comments, with line breaks in strings, with a comma too many. */
const parse = (text: string): unknown => {
  const bare = text
    .trim()
    .replace(/^(?:<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/)/, "")
    .replace(/(?:-->|\/\/\s*\]\]>|\]\]>|\/\*\s*\]\]>\s*\*\/)\s*;?$/, "")
  // oxlint-disable-next-line no-control-regex -- control characters are what makes it no JSON
  for (const attempt of [bare, bare.replace(/[\u0000-\u001f]+/g, " ").replace(/,\s*([}\]])/g, "$1")]) {
    try {
      return JSON.parse(attempt)
    } catch {
      continue
    }
  }
  return null
}

const isOrganization = (node: Node): boolean =>
  listOf(node["@type"]).some((type) => typeof type === "string" && organization.test(type))

/** All nodes by `@id`, so that what is only named can be looked up. */
const gather = (roots: ReadonlyArray<unknown>): ReadonlyMap<string, Node> => {
  const byId = new Map<string, Node>()
  const open = [...roots]
  for (let seen = 0; open.length > 0 && seen < MOST.nodes; seen++) {
    const value = open.pop()
    if (Array.isArray(value)) for (const one of value.slice(0, 1_000)) open.push(one)
    if (!isNode(value)) continue
    const id = value["@id"]
    if (typeof id === "string" && Object.keys(value).length > 1 && !byId.has(id)) byId.set(id, value)
    open.push(...Object.values(value).slice(0, 200))
  }
  return byId
}

const cut = (value: unknown, byId: ReadonlyMap<string, Node>, depth: number): unknown => {
  if (typeof value === "string") return value.slice(0, MOST.text)
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value !== "object" || value === null) return typeof value === "boolean" ? value : null
  if (depth >= MOST.depth) return null
  if (Array.isArray(value)) return value.slice(0, MOST.list).map((one) => cut(one, byId, depth + 1))
  const node = resolved(value as Node, byId) // an object that is no array
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, member]) => (kept.has(name) ? [[name, cut(member, byId, depth + 1)]] : []))
  )
}

/** `{"@id": "#org"}` is the node of that name. */
const resolved = (node: Node, byId: ReadonlyMap<string, Node>): Node => {
  const id = node["@id"]
  return typeof id === "string" && Object.keys(node).length === 1 ? (byId.get(id) ?? node) : node
}

/** The organizations in the texts of a page's `application/ld+json`, in the order in which they stand. */
export const read = (texts: ReadonlyArray<string>): ReadonlyArray<Node> => {
  const roots = texts.map(parse)
  const byId = gather(roots)
  const found = new Set<Node>()
  const open: Array<{ readonly value: unknown; readonly depth: number }> = roots.map((value) => ({ value, depth: 0 }))
  // The list grows while it is walked; taking from its front would cost its length each time.
  for (let at = 0; at < Math.min(open.length, MOST.nodes) && found.size < MOST.organizations; at++) {
    const { depth, value } = open[at] ?? { depth: 0, value: null }
    if (Array.isArray(value)) for (const one of value.slice(0, 1_000)) open.push({ value: one, depth })
    if (!isNode(value)) continue
    const node = resolved(value, byId)
    if (isOrganization(node)) found.add(node)
    else if (depth < MOST.depth) for (const name of leads) open.push({ value: node[name], depth: depth + 1 })
  }
  return [...found].flatMap((node) => {
    const small = cut(node, byId, 0)
    return isNode(small) ? [small] : []
  })
}
