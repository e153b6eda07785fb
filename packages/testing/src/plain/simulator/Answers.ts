/**
 * What the plain vendor tells of the population, in its own JSON.
 */
import type { Population } from "@lading/testing"
import type * as Company from "../Company.ts"
import type * as Person from "../Person.ts"

export const company = (view: Population.CompanyView): Company.Company => ({
  name: view.name,
  domain: view.domain,
  otherDomains: view.aliases,
  website: view.website,
  industries: view.industries,
  about: view.description,
  foundedYear: view.founded_year,
  headCount: view.employees,
  revenueUsd: view.revenue,
  fundingUsd: view.funding,
  phones: view.phones,
  address:
    view.hq === null
      ? null
      : {
          line: view.hq.full_address,
          city: view.hq.city,
          region: view.hq.state,
          postcode: view.hq.postal_code,
          country: view.hq.country,
          countryCode: view.hq.country_code
        },
  profiles: view.social,
  tech: view.technologies,
  tags: view.keywords,
  mailboxes: view.emails
})

const checks: Readonly<Record<Population.Person["work_email_status"], string>> = {
  valid: "ok",
  invalid: "bad",
  catch_all: "accept_all",
  unknown: "unchecked"
}

const mail = (view: Population.PersonView): Person.Person["mail"] => [
  ...(view.work_email === null
    ? []
    : [
        {
          address: view.work_email,
          kind: "business",
          check: checks[view.work_email_status],
          score: view.work_email_confidence
        }
      ]),
  ...(view.personal_email === null
    ? []
    : [{ address: view.personal_email, kind: "private", check: "unchecked", score: null }])
]

export const person = (view: Population.PersonView): Person.Person => ({
  firstName: view.first_name,
  lastName: view.last_name,
  title: view.title,
  employer: { name: view.company_name, domain: view.company_domain, profile: view.company_linkedin },
  place:
    view.location === null
      ? null
      : { city: view.location.city, country: view.location.country, countryCode: view.location.country_code },
  mail: mail(view),
  phones: view.phones.map(({ number, type }) => ({ number, kind: type === "mobile" ? "cell" : "office" })),
  profile: view.linkedin,
  jobs: view.jobs.map((job) => ({
    employer: job.company_name,
    employerDomain: job.company_domain,
    employerProfile: job.company_linkedin,
    city: job.company_city,
    country: job.company_country,
    title: job.title,
    department: job.department,
    from: job.start,
    until: job.end
  })),
  studies: view.education.map(({ school, degree, major, start, end }) => ({
    school,
    degree,
    subject: major,
    from: start,
    until: end
  }))
})
