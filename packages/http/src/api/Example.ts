/** Requests as documentation shows them; they work as they stand on a sandbox. */
import { CompanyEnrichment } from "@lading/core/company"
import type { EmailRequest } from "@lading/core/email"
import { PersonEnrichment } from "@lading/core/person"
import type { TaskRequest } from "@lading/core/task"

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

export const task: TaskRequest.TaskRequest = {
  name: "Buyers and whether they can be written to",
  steps: [
    {
      id: "person",
      operation: "people.enrich",
      input: { identity: { first_name: "$input.first", last_name: "$input.last", domain: "$input.domain" } }
    },
    {
      id: "mail",
      operation: "email.verify",
      input: { type: "single", email: "$person.person.emails[0].email" },
      when: "$person.person.emails"
    }
  ],
  inputs: [{ first: "Mara", last: "Ellison", domain: "nordvik-robotics.example" }],
  output_fields: [
    "$person.person.current_title",
    { name: "mail", value: "$person.person.emails[0].email" },
    { name: "verdict", value: "$mail.results[0].status" }
  ],
  max_credits: 10
}

export const email: EmailRequest.EmailRequest = { type: "single", email: "mara.ellison@nordvik-robotics.example" }
