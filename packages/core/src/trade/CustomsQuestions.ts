/** The requests about records and companies, see `CustomsRequest` for what they are made of. */
import { Schema } from "effect"
import * as Request from "./CustomsRequest.ts"

const { Words, whole } = Request

/** How many companies a request for their status may name. */
export const maxStatuses = 10_000

const StatusOf = Schema.Struct({ ...Request.companyFields, ...Request.roleFields }).check(
  whole({ company: "id", role: "type" })
)

export const BulkStatusRequest = Schema.Struct({
  companies: Schema.Array(StatusOf).check(Schema.isMaxLength(maxStatuses))
}).annotate({ identifier: "BulkStatusRequest" })

export const MatchRequest = Schema.Struct({
  name: Schema.optional(Words),
  country: Request.CountryField,
  ...Request.companyFields
})
  .check(
    whole(),
    Schema.makeFilter((request) =>
      request.name === undefined && Request.companyOf(request) === null
        ? { path: ["name"], issue: "Expected the name of a company" }
        : undefined
    )
  )
  .annotate({ identifier: "CustomsMatchRequest" })

/** About one side of a company's trade. */
const ofCompany = { ...Request.companyFields, ...Request.roleFields, ...Request.dateFields }
const needsBoth = whole({ company: "company_id", role: "role" })

/** Its answer has page numbers alone. */
export const ProductKeywordsRequest = Schema.Struct({ ...ofCompany, ...Request.pageFields })
  .check(whole({ company: "company_id", role: "tradeType" }))
  .annotate({ identifier: "ProductKeywordsRequest" })

export const CompanyListRequest = Schema.Struct({ ...ofCompany, ...Request.pagingFields })
  .check(needsBoth)
  .annotate({ identifier: "CompanyListRequest" })

export const HsCodesRequest = Schema.Struct({ ...ofCompany, ...Request.levelFields, ...Request.pagingFields })
  .check(needsBoth)
  .annotate({ identifier: "HsCodesRequest" })

export const TradeTrendsRequest = Schema.Struct({ ...ofCompany, ...Request.granularityFields })
  .check(needsBoth)
  .annotate({ identifier: "TradeTrendsRequest" })

export const DetailsRequest = Schema.Struct(Request.companyFields)
  .check(whole({ company: "company_id" }))
  .annotate({ identifier: "CustomsDetailsRequest" })

const paged = { ...Request.filterFields, ...Request.sortFields, ...Request.pagingFields }

export const RecordsRequest = Schema.Struct(paged).check(whole()).annotate({ identifier: "CustomsRecordsRequest" })

/** On either side of the trade, unless a role is said. */
export const CompanyRecordsRequest = Schema.Struct({ ...Request.companyFields, ...Request.roleFields, ...paged })
  .check(whole({ company: "company_id" }))
  .annotate({ identifier: "CompanyRecordsRequest" })

export const CompaniesRequest = Schema.Struct({
  ...Request.filterFields,
  ...Request.roleFields,
  name: Schema.optional(Words),
  ...Request.pagingFields
})
  .check(whole())
  .annotate({ identifier: "CustomsCompaniesRequest" })

const trader = {
  ...Request.companyFields,
  ...Request.roleFields,
  name: Schema.optional(Words),
  country: Request.CountryField,
  ...Request.dateFields,
  ...Request.sortFields
}

const named = Schema.makeFilter(
  (request: { readonly name?: string | undefined } & Parameters<typeof Request.companyOf>[0]) =>
    request.name === undefined && Request.companyOf(request) === null
      ? { path: ["company_id"], issue: "Expected the id of a company, or its name" }
      : undefined
)

export const MerchantsRequest = Schema.Struct({ ...trader, ...Request.pageFields })
  .check(whole(), named)
  .annotate({ identifier: "MerchantsRequest" })

export const MerchantsNewRequest = Schema.Struct({
  ...trader,
  limit: Request.pageFields.limit,
  ...Request.firstPageField,
  ...Request.cursorFields
})
  .check(whole(), named)
  .annotate({ identifier: "MerchantsNewRequest" })
