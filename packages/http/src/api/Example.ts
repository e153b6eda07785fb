/** Requests as documentation shows them; they work as they stand on a sandbox. */
import { CompanyEnrichment } from "@lading/core/company"
import type { EmailRequest } from "@lading/core/email"
import { PersonEnrichment } from "@lading/core/person"

export const company: CompanyEnrichment.CompanyEnrichmentRequest = {
  identity: { domains: ["nordvik-robotics.example"] },
  waterfall: { mode: "aggregate" },
  response: { include_explanation: true }
}

/** One schema for all who take such a request, so that it is one component of the document. */
export const companyRequest = CompanyEnrichment.CompanyEnrichmentRequest.annotate({ examples: [company] })

export const person: PersonEnrichment.PersonEnrichmentRequest = {
  identity: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
}

export const personRequest = PersonEnrichment.PersonEnrichmentRequest.annotate({ examples: [person] })

export const email: EmailRequest.EmailRequest = { type: "single", email: "mara.ellison@nordvik-robotics.example" }
