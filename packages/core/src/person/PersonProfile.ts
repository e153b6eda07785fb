/** What Lading answers about a person. Every member is there; unknown is `null` or an empty list. */
import { Schema } from "effect"
import { EmailStatus, EmailType, PhoneType } from "./PersonFacts.ts"

const Text = Schema.NullOr(Schema.String)
const Month = Text.annotate({ description: "YYYY-MM" })
const Year = Schema.NullOr(Schema.Int)

const PersonEmail = Schema.Struct({
  email: Schema.String,
  type: EmailType,
  status: EmailStatus,
  sources: Schema.Array(Schema.String).annotate({ description: "Names of the sources that gave this address" }),
  confidence: Schema.NullOr(Schema.Finite).annotate({ description: "0 to 100" })
})

const PersonPhone = Schema.Struct({ number: Schema.String, type: PhoneType })

const Job = Schema.Struct({
  company_name: Text,
  title: Text,
  start_date: Month,
  end_date: Month,
  is_current: Schema.Boolean,
  company_linkedin_url: Text,
  department: Text,
  description: Text,
  company_city: Text,
  company_country_code: Text
})

const Education = Schema.Struct({ school: Text, degree: Text, major: Text, start: Year, end: Year })

export const PersonProfile = Schema.Struct({
  first_name: Text,
  last_name: Text,
  current_title: Text,
  company_name: Text,
  company_domain: Text,
  company_website: Text,
  company_linkedin_url: Text,
  location: Schema.Struct({ city: Text, country: Text, country_code: Text }),
  emails: Schema.Array(PersonEmail),
  phones: Schema.Array(PersonPhone),
  social_links: Schema.Struct({ linkedin_url: Text }),
  employment_history: Schema.Array(Job),
  education: Schema.Array(Education)
}).annotate({ identifier: "PersonProfile" })
export type PersonProfile = typeof PersonProfile.Type
