/**
 * The same job without Lading, as a careful engineer writes it with promises: four sources at once, each behind a
 * concurrency limit, a token bucket, a circuit breaker, a retry loop, a time limit and a shared call for equal
 * questions; answers looked up in and put into a cache; answers about other companies refused; credits held before and
 * captured after; merge by hand with the source of every field, where a value that fails its check loses.
 */
import type { CompanyFacts } from "@lading/core/company"
import { parsePhoneNumberFromString } from "libphonenumber-js"
import { getDomain } from "tldts"
import type { Result } from "./company.ts"

type Ask = (domain: string) => Promise<CompanyFacts | null>

/** One vendor behind its guards. */
class Guarded {
  private readonly ask: Ask
  private running = 0
  private readonly queue: Array<() => void> = []
  private tokens = 1_000_000
  private refilled = Date.now()
  private failures = 0
  private openUntil = 0
  private readonly inTheAir = new Map<string, Promise<CompanyFacts | null>>()

  constructor(ask: Ask) {
    this.ask = ask
  }

  call(domain: string, deadline: number): Promise<CompanyFacts | null> {
    const known = this.inTheAir.get(domain)
    if (known !== undefined) return known
    const started = this.guarded(domain, deadline).finally(() => this.inTheAir.delete(domain))
    this.inTheAir.set(domain, started)
    return started
  }

  private async guarded(domain: string, deadline: number): Promise<CompanyFacts | null> {
    if (Date.now() < this.openUntil) throw new Error("circuit open")
    try {
      const answer = await this.retried(domain, deadline)
      this.failures = 0
      return answer
    } catch (error) {
      if (++this.failures >= 5) this.openUntil = Date.now() + 30_000
      throw error
    }
  }

  private async retried(domain: string, deadline: number): Promise<CompanyFacts | null> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.limited(domain, deadline)
      } catch (error) {
        if (attempt === 3 || Date.now() > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)))
      }
    }
  }

  private async limited(domain: string, deadline: number): Promise<CompanyFacts | null> {
    if (this.running >= 100) await new Promise<void>((resolve) => this.queue.push(resolve))
    this.running++
    try {
      this.takeToken()
      return await this.timed(domain, deadline)
    } finally {
      this.running--
      this.queue.shift()?.()
    }
  }

  private takeToken(): void {
    const now = Date.now()
    this.tokens = Math.min(1_000_000, this.tokens + (now - this.refilled) * 1000)
    this.refilled = now
    if (this.tokens < 1) throw new Error("rate limited")
    this.tokens--
  }

  private timed(domain: string, deadline: number): Promise<CompanyFacts | null> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("timed out")), Math.max(1, deadline - Date.now()))
      this.ask(domain)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
  }
}

const scalars = [
  "name",
  "primary_domain",
  "website_url",
  "description",
  "founded_year",
  "estimated_employee_count",
  "annual_revenue",
  "total_funding"
] as const

const lists = ["industries", "phones", "technologies", "keywords", "emails"] as const

const networks = {
  linkedin_url: "linkedin.com",
  twitter_url: "twitter.com",
  facebook_url: "facebook.com",
  crunchbase_url: "crunchbase.com",
  instagram_url: "instagram.com"
} as const

const canonical = (url: string, network: string): string | null => {
  const parsed = URL.parse(url.includes("://") ? url : `https://${url}`)
  if (parsed === null || parsed.hostname.replace(/^www\./, "") !== network) return null
  return `https://www.${network}${parsed.pathname.toLowerCase().replace(/\/+$/, "")}`
}

const checks: Partial<Record<(typeof scalars)[number], (value: unknown) => boolean>> = {
  founded_year: (year) => Number.isInteger(year) && Number(year) >= 1000 && Number(year) <= 2100,
  estimated_employee_count: (count) => typeof count === "number" && count >= 1,
  website_url: (url) => typeof url === "string" && URL.canParse(url)
}

/** The key of a list's item, and whether it is one at all. */
const keyOf = (
  field: (typeof lists)[number],
  item: string,
  country: string | undefined
): readonly [string, boolean] => {
  if (field === "phones") {
    const number = parsePhoneNumberFromString(item, country === "NO" ? "NO" : undefined)
    return number?.isPossible() === true ? [number.number, true] : [item.replace(/\D/g, ""), false]
  }
  const key = item.trim().normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ")
  return field === "emails" ? [key, /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(item)] : [key, /[\p{L}\p{N}]/u.test(item)]
}

type Answers = ReadonlyArray<readonly [string, CompanyFacts]>

const mergeScalars = (
  domain: string,
  answers: Answers,
  profile: Record<string, unknown>,
  from: Record<string, string>
) => {
  for (const field of scalars) {
    profile[field] = null
    if (field === "primary_domain") {
      profile[field] = domain
      from[field] = "request"
      continue
    }
    const said = answers.filter(([, facts]) => facts[field] != null && facts[field] !== "")
    const check = checks[field]
    const found = said.find(([, facts]) => check === undefined || check(facts[field])) ?? said[0]
    if (found === undefined) continue
    profile[field] = found[1][field]
    from[field] = found[0]
  }
}

const mergeLists = (answers: Answers, profile: Record<string, unknown>, from: Record<string, string>) => {
  for (const field of lists) {
    const seen = new Set<string>()
    const union: Array<string> = []
    for (const [source, facts] of answers) {
      for (const item of facts[field] ?? []) {
        const [key, valid] = keyOf(field, item, facts.hq?.country_code ?? undefined)
        if (!valid || seen.has(key)) continue
        seen.add(key)
        union.push(item.trim())
        from[field] ??= source
      }
    }
    profile[field] = union
  }
}

const none = { full_address: null, city: null, state: null, postal_code: null, country: null, country_code: null }

const mergeGroups = (answers: Answers, profile: Record<string, unknown>, from: Record<string, string>) => {
  const hq = answers.find(([, facts]) => facts.hq?.city != null || facts.hq?.country != null)
  profile["hq"] = hq === undefined ? none : { ...none, ...hq[1].hq }
  if (hq !== undefined) from["hq"] = hq[0]
  const social: Record<string, string | null> = {}
  for (const network of Object.keys(networks) as Array<keyof typeof networks>) {
    social[network] = null
    for (const [source, facts] of answers) {
      const url = facts.social_links?.[network]
      social[network] ??= url == null ? null : canonical(url, networks[network])
      if (social[network] !== null) from["social_links"] ??= source
    }
  }
  profile["social_links"] = social
}

/** What the answers say together, and who said it. */
export const merge = (
  domain: string,
  answers: Answers
): { readonly profile: Record<string, unknown>; readonly field_sources: Record<string, string> } => {
  const profile: Record<string, unknown> = {}
  const field_sources: Record<string, string> = {}
  mergeScalars(domain, answers, profile, field_sources)
  mergeLists(answers, profile, field_sources)
  mergeGroups(answers, profile, field_sources)
  return { profile, field_sources }
}

export const sameCompany = (domain: string, { primary_domain }: CompanyFacts): boolean =>
  primary_domain == null || getDomain(primary_domain.toLowerCase()) === getDomain(domain)

/** A server's worth of state: vendors behind guards, a cache, and one balance. */
export const make = (sources: ReadonlyArray<readonly [string, Ask]>) => {
  const guards = sources.map(([name, ask]) => [name, new Guarded(ask)] as const)
  const cache = new Map<string, { facts: CompanyFacts | null; at: number }>()
  let available = Number.MAX_SAFE_INTEGER
  let held = 0

  return async (domain: string, maxAge: number): Promise<Result> => {
    const deadline = Date.now() + 20_000
    const worst = 100_000 + guards.length * 1_000_000
    if (available < worst) throw new Error("insufficient credits")
    available -= worst
    held += worst
    const answers = await Promise.all(
      guards.map(async ([name, guard]) => {
        const key = `${name}:${domain}`
        const kept = cache.get(key)
        if (kept !== undefined && Date.now() - kept.at < maxAge) return [name, kept.facts, 0] as const
        try {
          const facts = await guard.call(domain, deadline)
          cache.set(key, { facts, at: Date.now() })
          return [name, facts, facts === null ? 0 : 1_000_000] as const
        } catch {
          return [name, null, 0] as const
        }
      })
    )
    const cost = answers.reduce((sum, [, , price]) => sum + price, 100_000)
    held -= worst
    available += worst - cost
    const merged = merge(
      domain,
      answers.flatMap(([name, facts]) =>
        facts === null || !sameCompany(domain, facts) ? [] : [[name, facts] as const]
      )
    )
    return { ...merged, credits: cost / 1_000_000 }
  }
}
