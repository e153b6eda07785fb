/** The variables of the finder of contacts. */
import { Schema } from "effect"
import * as Finders from "./Finders.ts"
import { credential, isBaseUrl, optional, withDefault } from "./Variable.ts"

export const finder = {
  name: withDefault(
    {
      name: "LADING_CONTACT_FINDER",
      meaning:
        "Who finds the pages on which companies say how they are reached: `website` (their own sites alone, where `LADING_WEBSITE` is on), `searxng` or `brave` (their own sites, and what that search engine lists)",
      expected: `one of ${Finders.names.join(", ")}`
    },
    Schema.Literals(Finders.names),
    "website",
    "website"
  ),
  url: optional(
    {
      name: "LADING_CONTACT_FINDER_URL",
      meaning: "Address of your SearXNG, or of Brave Search in place of its own",
      expected: "an address like https://search.acme.example, without credentials or query",
      secret: true
    },
    Schema.String.check(Schema.makeFilter(isBaseUrl))
  ),
  key: optional(
    {
      name: "LADING_CONTACT_FINDER_KEY",
      meaning: "Your key (subscription token) at Brave Search; SearXNG takes none",
      expected: "printable ASCII characters without spaces",
      secret: true
    },
    credential
  )
}
