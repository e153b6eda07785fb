/**
 * `/api/reference/*`: the words and codes that other endpoints take and give. Free, and made to be kept: answers carry
 * an `ETag`, and a client that sends it back as `If-None-Match` is told that nothing has changed.
 *
 * Gotcha: 304 and `If-None-Match` stand in the document only. The typed clients keep nothing, so they never send one.
 */
import { Codes, Industries, Search, Technologies } from "@lading/core/reference"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "./Authorization.ts"
import * as Refusal from "./Refusal.ts"
import { CacheControl, ETag, RequestId, Vary } from "./ResponseHeaders.ts"
import * as SuccessBody from "./SuccessBody.ts"

export const CodesOf = Schema.Struct({
  countries: Schema.Array(Codes.CountryCode).annotate({ description: "By code" }),
  languages: Schema.Array(Codes.LanguageCode).annotate({ description: "By code" })
}).annotate({ identifier: "ReferenceCodes" })
export type CodesOf = typeof CodesOf.Type

/** The whole of what was found, in one page. */
const listOf = <Entry extends Schema.Top>(entry: Entry) =>
  Schema.Struct({
    list: Schema.Array(entry),
    total: Schema.Int.annotate({ description: "Entries in the list" }),
    current_page: Schema.Literal(1),
    next_cursor: Schema.Null.annotate({ description: "There is no further page" })
  })

export const IndustryList = listOf(Industries.Industry).annotate({ identifier: "IndustryList" })
export type IndustryList = typeof IndustryList.Type

export const TechnologyList = listOf(Technologies.Technology).annotate({ identifier: "TechnologyList" })
export type TechnologyList = typeof TechnologyList.Type

export const SearchQuery = {
  q: Schema.optional(Search.Query).annotate({
    description:
      "Words that all have to occur, whatever their case and accents; the beginning of a word is enough. At most 100 characters; everything where it is left out"
  })
}

const answered = <Data extends Schema.Top>(data: Data) =>
  HttpApiSchema.WithHeaders(SuccessBody.of(data), {
    "x-request-id": RequestId,
    etag: ETag,
    "cache-control": CacheControl,
    vary: Vary
  })

const ifNoneMatch = {
  name: "if-none-match",
  in: "header",
  required: false,
  description:
    "An ETag of an earlier answer, a list of them, or *: where the answer is still the same, 304 without a body",
  schema: { type: "string" }
}

const described = (summary: string, description: string) =>
  OpenApi.annotations({
    summary,
    description: `${description} Free.`,
    transform: ({ parameters = [], responses, ...operation }) => ({
      ...operation,
      parameters: [...parameters, ifNoneMatch],
      responses: { ...responses, 304: { description: "The answer is what it was under the tag that was sent" } }
    })
  })

export const reference = HttpApiGroup.make("reference")
  .add(
    HttpApiEndpoint.get("codes", "/api/reference/codes", {
      success: answered(CodesOf),
      error: Refusal.common
    }).annotateMerge(
      described(
        "Codes of countries and languages",
        "ISO 3166-1 and ISO 639-1. Needs no API key; unknown values are null."
      )
    ),
    HttpApiEndpoint.get("industries", "/api/reference/industries", {
      query: SearchQuery,
      success: answered(IndustryList),
      error: [...Refusal.common, ...Refusal.reading]
    })
      .middleware(Authorization)
      .annotateMerge(
        described(
          "Industries",
          "Sections and divisions of ISIC revision 4 (isic4), and under the divisions the names that vendors use (lading). Every key may ask."
        )
      ),
    HttpApiEndpoint.get("technologies", "/api/reference/technologies", {
      query: SearchQuery,
      success: answered(TechnologyList),
      error: [...Refusal.common, ...Refusal.reading]
    })
      .middleware(Authorization)
      .annotateMerge(described("Technologies", "By name, each with a category. Every key may ask."))
  )
  .annotateMerge(
    OpenApi.annotations({ description: "Codes, industries and technologies, as other endpoints name them" })
  )
