/**
 * One synthetic person at a synthetic company, complete. What a vendor knows of them is a `PersonView`.
 */
import { type Chance, chance } from "./Chance.ts"
import { type Company, makeCompany } from "./Company.ts"
import { folded, slug } from "./Slug.ts"
import {
  DEGREES,
  FIRST_NAMES,
  HEAD_OF_PROCUREMENT,
  LAST_NAMES,
  MAJORS,
  MOBILE,
  type Role,
  ROLES,
  SCHOOLS
} from "./Words.ts"

export interface Job {
  readonly company_name: string
  readonly company_domain: string
  readonly company_linkedin: string
  readonly company_city: string
  readonly company_country: string
  readonly company_country_code: string
  readonly title: string
  readonly department: string
  readonly seniority: string
  /** `YYYY-MM` */
  readonly start: string
  /** `YYYY-MM`; `null` for the present job. */
  readonly end: string | null
}

export interface Person {
  readonly first_name: string
  readonly last_name: string
  readonly company: Company
  readonly title: string
  readonly department: string
  readonly seniority: string
  readonly work_email: string
  readonly work_email_status: "valid" | "invalid" | "catch_all" | "unknown"
  /** 0 to 100. */
  readonly work_email_confidence: number
  readonly personal_email: string | null
  /** E.164. */
  readonly phones: ReadonlyArray<{ readonly number: string; readonly type: "mobile" | "work" }>
  /** Without scheme. */
  readonly linkedin: string
  readonly location: { readonly city: string; readonly country: string; readonly country_code: string }
  /** Newest first; the first is the present one. */
  readonly jobs: readonly [Job, ...Array<Job>]
  readonly education: ReadonlyArray<{
    readonly school: string
    readonly degree: string
    readonly major: string
    readonly start: number
    readonly end: number
  }>
  /** Known to every vendor that knows the company. */
  readonly famous: boolean
}

interface Name {
  readonly first: string
  readonly last: string
  readonly role: Role
  readonly famous: boolean
}

const MARA: Name = { first: "Mara", last: "Ellison", role: HEAD_OF_PROCUREMENT, famous: true }

/** First names are taken in turn, so that no two people of a company share one. */
const nameOf = (it: Chance, company: Company, position: number): Name => {
  if (company.slug === "nordvik-robotics" && position === 0) return MARA
  const start = it.int("first name", 0, FIRST_NAMES.length - 1)
  return {
    first: FIRST_NAMES[(start + position) % FIRST_NAMES.length] ?? FIRST_NAMES[0],
    last: it.pick(`last name ${position}`, LAST_NAMES),
    role: ROLES[position % ROLES.length] ?? ROLES[0],
    famous: false
  }
}

const month = (it: Chance, about: string): string => String(it.int(about, 1, 12)).padStart(2, "0")

const job = (company: Company, role: Role, start: string, end: string | null): Job => ({
  company_name: company.name,
  company_domain: company.domain,
  company_linkedin: company.social.linkedin,
  company_city: company.hq.city,
  company_country: company.hq.country,
  company_country_code: company.hq.country_code,
  ...role,
  start,
  end
})

/** The present job and up to two former ones at other companies, without gaps. */
const jobsOf = (seed: number, it: Chance, company: Company, role: Role): Person["jobs"] => {
  const since = `${it.int("since", 2016, 2023)}-${month(it, "since month")}`
  const former: Array<Job> = []
  let end = since
  for (let i = 0; i < it.int("former", 0, 2); i++) {
    const employer = makeCompany(seed, it.int(`employer ${i}`, 2, 199))
    if (employer.domain === company.domain) continue
    const start = `${Number(end.slice(0, 4)) - it.int(`years ${i}`, 1, 5)}-${month(it, `month ${i}`)}`
    former.push(job(employer, it.pick(`former role ${i}`, ROLES), start, end))
    end = start
  }
  return [job(company, role, since, null), ...former]
}

const mailbox = (company: Company, first: string, last: string): string => {
  const style = chance(company.slug).pick("mailbox", ["first.last", "first.last", "flast", "first"])
  const [f, l] = [slug(first, ""), slug(last, "")]
  if (style === "first.last" || company.famous) return `${f}.${l}`
  return style === "flast" ? `${f.slice(0, 1)}${l}` : f
}

const personalEmail = (it: Chance, first: string, last: string): string | null =>
  it.maybe("personal", 0.5)
    ? `${slug(first, "")}.${slug(last, "")}@${it.pick("host", ["example.com", "example.net", "example.org"])}`
    : null

const educationOf = (it: Chance): Person["education"] => {
  const end = it.int("graduation", 1992, 2014)
  return [
    {
      school: it.pick("school", SCHOOLS),
      degree: it.pick("degree", DEGREES),
      major: it.pick("major", MAJORS),
      start: end - it.int("studies", 2, 5),
      end
    }
  ]
}

/** The person at `position` of a company. */
export const makePerson = (seed: number, company: Company, position: number): Person => {
  const { first, last, role, famous } = nameOf(chance(`${seed}/names/${company.slug}`), company, position)
  const it = chance(`${seed}/person/${company.slug}/${position}`)
  const mobile = `${MOBILE.prefix}${String(it.int("mobile", MOBILE.first, MOBILE.last)).padStart(2, "0")}`
  return {
    first_name: first,
    last_name: last,
    company,
    ...role,
    work_email: `${mailbox(company, first, last)}@${company.domain}`,
    work_email_status: famous
      ? "valid"
      : it.pick("status", ["valid", "valid", "valid", "catch_all", "invalid", "unknown"]),
    work_email_confidence: it.int("confidence", 60, 99),
    personal_email: personalEmail(it, first, last),
    phones: [
      { number: mobile, type: "mobile" },
      ...company.phones.slice(0, 1).map((number) => ({ number, type: "work" as const }))
    ],
    linkedin: `linkedin.com/in/${slug(first)}-${slug(last)}-example`,
    location: { city: company.hq.city, country: company.hq.country, country_code: company.hq.country_code },
    jobs: jobsOf(seed, it, company, role),
    education: famous || it.maybe("education", 0.8) ? educationOf(it) : [],
    famous
  }
}

/** Three to seven people a company. */
export const headcount = (seed: number, company: Company): number =>
  chance(`${seed}/people/${company.slug}`).int("count", 3, 7)

/** Whether the names are the person's, whatever their case and marks. */
export const isNamed = (person: Person, first: string, last: string): boolean =>
  folded(person.first_name) === folded(first) && folded(person.last_name) === folded(last)
