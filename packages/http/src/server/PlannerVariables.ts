/** The variables of the language model that makes plans of prompts. */
import { Schema } from "effect"
import { credential, isBaseUrl, optional } from "./Variable.ts"

export const planner = {
  url: optional(
    {
      name: "LADING_MODEL_URL",
      meaning:
        "OpenAI-compatible endpoint of the language model that makes plans of tasks' prompts, with its path, e.g. `https://api.openai.com/v1`; left out, tasks take steps only",
      expected: "an address like https://api.openai.com/v1, without credentials or query",
      secret: true
    },
    Schema.String.check(Schema.makeFilter(isBaseUrl))
  ),
  model: optional(
    {
      name: "LADING_MODEL",
      meaning: "Name of the model there",
      expected: "printable characters without spaces, up to 200"
    },
    Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,200}$/))
  ),
  key: optional(
    {
      name: "LADING_MODEL_KEY",
      meaning: "Your API key there; left out, none is sent",
      expected: "printable ASCII characters without spaces",
      secret: true
    },
    credential
  )
}
