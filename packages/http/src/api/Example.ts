/** Requests as documentation shows them; they work as they stand on a sandbox. */
import type { CompanyEnrichment } from "@lading/core/company"
import type { EmailRequest } from "@lading/core/email"
import type { PersonEnrichment } from "@lading/core/person"

export const company: CompanyEnrichment.CompanyEnrichmentRequest = {
  identity: { domains: ["nordvik-robotics.example"] },
  waterfall: { mode: "aggregate" },
  response: { include_explanation: true }
}

export const person: PersonEnrichment.PersonEnrichmentRequest = {
  identity: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
}

export const email: EmailRequest.EmailRequest = { type: "single", email: "mara.ellison@nordvik-robotics.example" }
