/** Requests as documentation shows them; they work as they stand on a sandbox. */
import type { CompanyEnrichment } from "@lading/core/company"
import type { PersonEnrichment } from "@lading/core/person"

export const company: CompanyEnrichment.CompanyEnrichmentRequest = {
  identity: { domains: ["nordvik-robotics.example"] },
  waterfall: { mode: "aggregate" },
  response: { include_explanation: true }
}

export const person: PersonEnrichment.PersonEnrichmentRequest = {
  identity: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" }
}
