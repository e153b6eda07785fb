/**
 * What a source says about one person, each value as that source spells it; mail and phone kinds already in the
 * domain's words, since every vendor has its own for them.
 */
import { Schema } from "effect"
import { said } from "../waterfall/Said.ts"

export const EmailType = Schema.Literals(["work", "personal", "unknown"])
export type EmailType = typeof EmailType.Type

export const EmailStatus = Schema.Literals(["valid", "invalid", "catch_all", "unknown"])
export type EmailStatus = typeof EmailStatus.Type

export const PhoneType = Schema.Literals(["mobile", "work", "home", "unknown"])
export type PhoneType = typeof PhoneType.Type

/** A date as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
const PartialDate = Schema.String

export const PersonFacts = Schema.Struct({
  first_name: said(Schema.String),
  last_name: said(Schema.String),
  current_title: said(Schema.String),
  company_name: said(Schema.String),
  company_domain: said(Schema.String),
  company_website: said(Schema.String),
  company_linkedin_url: said(Schema.String),
  location: said(
    Schema.Struct({
      city: said(Schema.String),
      country: said(Schema.String),
      country_code: said(Schema.String)
    })
  ),
  emails: said(
    Schema.Array(
      Schema.Struct({
        email: Schema.String,
        type: EmailType,
        status: EmailStatus,
        /** 0 to 100; how sure the source is that the address is this person's. */
        confidence: said(Schema.Finite)
      })
    )
  ),
  phones: said(Schema.Array(Schema.Struct({ number: Schema.String, type: PhoneType }))),
  social_links: said(Schema.Struct({ linkedin_url: said(Schema.String) })),
  employment_history: said(
    Schema.Array(
      Schema.Struct({
        company_name: said(Schema.String),
        title: said(Schema.String),
        start_date: said(PartialDate),
        end_date: said(PartialDate),
        is_current: Schema.Boolean,
        /** Used to judge whether the answer is about the right person, never shown. */
        company_domain: said(Schema.String),
        company_linkedin_url: said(Schema.String),
        department: said(Schema.String),
        description: said(Schema.String),
        company_city: said(Schema.String),
        /** A name or a code. */
        company_country: said(Schema.String)
      })
    )
  ),
  education: said(
    Schema.Array(
      Schema.Struct({
        school: said(Schema.String),
        degree: said(Schema.String),
        major: said(Schema.String),
        start: said(PartialDate),
        end: said(PartialDate)
      })
    )
  )
})
export type PersonFacts = typeof PersonFacts.Type
