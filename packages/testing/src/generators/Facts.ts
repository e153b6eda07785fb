/**
 * Arbitrary answers of sources, for property tests of whatever reads facts: right values, and everything that vendors
 * were seen to send instead, such as empty strings, spaces, other spellings, foreign domains, impossible dates and lists
 * of hundreds.
 *
 * Every fact may be there, `null`, or missing. The few words are drawn often, so that sources agree and collide.
 */
import type { CompanyFacts } from "@lading/core/company"
import { EmailStatus, EmailType, type PersonFacts, PhoneType } from "@lading/core/person"
import { Arbitrary, Schema } from "effect"

const oneOf = <const A extends string | number>(...values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.schema(Schema.Literals(values))

const either = <A, B>(often: Arbitrary.Arbitrary<A>, seldom: Arbitrary.Arbitrary<B>): Arbitrary.Arbitrary<A | B> =>
  Arbitrary.flatMap(oneOf("often", "Often", "OFTEN", "seldom"), (share): Arbitrary.Arbitrary<A | B> =>
    share === "seldom" ? seldom : often
  )

/** The value, `null`, or nothing. */
const said = <A>(value: Arbitrary.Arbitrary<A>): Arbitrary.Arbitrary<A | null | undefined> =>
  either(value, Arbitrary.schema(Schema.Union([Schema.Null, Schema.Undefined])))

/** Few items as a rule, now and then some hundreds. */
const list = <A>(item: Arbitrary.Arbitrary<A>): Arbitrary.Arbitrary<ReadonlyArray<A>> =>
  Arbitrary.flatMap(
    oneOf("few", "many", "few of them", "some", "several", "a few", "a handful", "a couple"),
    (amount) => Arbitrary.array(item, amount === "many" ? { minLength: 200, maxLength: 300 } : { maxLength: 4 })
  )

/** Words that sources share, blanks, and what looks like text of another kind. */
export const text = either(
  oneOf(
    "Nordvik Robotics",
    "nordvik robotics ",
    "Acme Robotics",
    "PostgreSQL",
    "postgresql",
    "Straße",
    "ｆｕｌｌ",
    "e\u0301",
    "é"
  ),
  either(
    oneOf(
      "",
      " ",
      "\t\n",
      "\u0000",
      "null",
      "N/A",
      "-",
      "\u202Eevil",
      "😀",
      "__proto__",
      "<b>x</b>",
      "a".repeat(5_000)
    ),
    Arbitrary.schema(Schema.String)
  )
)

export const domain = oneOf(
  "nordvik-robotics.example",
  "NORDVIK-ROBOTICS.example",
  "www.nordvik-robotics.example",
  "nordvik-robotics-group.example",
  "acme-robotics.example",
  "nordvik-robotics.example.",
  "xn--mller-kva.example",
  "localhost",
  "not a domain",
  ""
)

export const url = oneOf(
  "https://www.nordvik-robotics.example",
  "http://nordvik-robotics.example/",
  "nordvik-robotics.example",
  "linkedin.com/company/nordvik-robotics-example",
  "https://www.linkedin.com/company/nordvik-robotics-example/?x=1",
  "https://twitter.com/nordvik_example",
  "@nordvik_example",
  "javascript:alert(1)",
  "//",
  "https://",
  ""
)

export const email = oneOf(
  "mara.ellison@nordvik-robotics.example",
  "Mara.Ellison@Nordvik-Robotics.example",
  "mara@acme-robotics.example",
  "info@nordvik-robotics.example",
  "a@b@c",
  "no address",
  " spaced@nordvik-robotics.example ",
  ""
)

/** Fictional ranges, in several spellings of the same number. */
export const phone = oneOf(
  "+442079460071",
  "+44 20 7946 0071",
  "020 7946 0071",
  "0044 20 7946 0071",
  "(212) 555-0123",
  "+1 212 555 0123 ext. 4",
  "12",
  "call us",
  ""
)

const country = oneOf("NO", "no", "Norway", "Norge", "United Kingdom", "GB", "US", "XX", "Nowhere", "")

const date = oneOf("2020", "2020-03", "2020-03-15", "2020-13", "2020-3", "0000-00", "soon", "03/2020", "")

const number = either(oneOf(1960, 360, 0, 25_000_000), oneOf(-1, 1.5, 99_999, 9_007_199_254_740_991, 1e21))

const estimate = either(
  number,
  Arbitrary.all({
    min: oneOf(0, 1, 251, 10_001),
    max: Arbitrary.schema(Schema.NullOr(Schema.Literals([1_000, 10]))),
    text: oneOf("251-1K", "10001+", "1-10", "")
  })
)

const address = Arbitrary.all({
  full_address: said(text),
  city: said(text),
  state: said(text),
  postal_code: said(text),
  country: said(country),
  country_code: said(country)
})

/** What a source may say of a company. */
export const companyFacts: Arbitrary.Arbitrary<CompanyFacts> = Arbitrary.all({
  name: said(text),
  primary_domain: said(domain),
  domain_aliases: said(list(domain)),
  website_url: said(url),
  industries: said(list(text)),
  description: said(text),
  founded_year: said(number),
  estimated_employee_count: said(estimate),
  annual_revenue: said(estimate),
  total_funding: said(number),
  phones: said(list(phone)),
  hq: said(address),
  social_links: said(
    Arbitrary.all({
      linkedin_url: said(url),
      twitter_url: said(url),
      facebook_url: said(url),
      crunchbase_url: said(url),
      instagram_url: said(url)
    })
  ),
  technologies: said(list(text)),
  keywords: said(list(text)),
  emails: said(list(email))
})

const personName = either(oneOf("Mara", "mara", "Ellison", "ELLISON", "Søren", "Soren"), text)

const job = Arbitrary.all({
  company_name: said(text),
  title: said(text),
  start_date: said(date),
  end_date: said(date),
  is_current: Arbitrary.schema(Schema.Boolean),
  company_domain: said(domain),
  company_linkedin_url: said(url),
  department: said(text),
  description: said(text),
  company_city: said(text),
  company_country: said(country)
})

/** What a source may say of a person. */
export const personFacts: Arbitrary.Arbitrary<PersonFacts> = Arbitrary.all({
  first_name: said(personName),
  last_name: said(personName),
  current_title: said(text),
  company_name: said(text),
  company_domain: said(domain),
  company_website: said(url),
  company_linkedin_url: said(url),
  location: said(Arbitrary.all({ city: said(text), country: said(country), country_code: said(country) })),
  emails: said(
    list(
      Arbitrary.all({
        email,
        type: Arbitrary.schema(EmailType),
        status: Arbitrary.schema(EmailStatus),
        confidence: said(oneOf(0, 50, 100, -1, 1_000))
      })
    )
  ),
  phones: said(list(Arbitrary.all({ number: phone, type: Arbitrary.schema(PhoneType) }))),
  social_links: said(Arbitrary.all({ linkedin_url: said(url) })),
  employment_history: said(list(job)),
  education: said(
    list(
      Arbitrary.all({ school: said(text), degree: said(text), major: said(text), start: said(date), end: said(date) })
    )
  )
})
