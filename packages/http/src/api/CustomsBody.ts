/**
 * The bodies of answers about customs records: their envelope, and the five answers whose names and types the interface
 * spells in its own way. All others stand in the envelope as core has them.
 */
import { Schema } from "effect"

const Text = Schema.NullOr(Schema.String)

/** The envelope around an answer. */
export const of = <Data extends Schema.Top>(data: Data) =>
  Schema.Struct({
    success: Schema.Literal(true),
    request_id: Schema.String,
    data: Schema.Struct({
      code: Schema.Literal(1),
      msg: Schema.Literal("ok"),
      time: Schema.String.annotate({ description: "When it was answered, Unix seconds" }),
      data
    }),
    meta: Schema.Struct({
      billing: Schema.Struct({ credits_charged: Schema.Finite, byok_used: Schema.Boolean })
    }),
    error: Schema.Null
  })

/** By name: a declaration can say an interface, where it would have to spell out how a schema was built. */
export interface Body<Data> {
  readonly success: true
  readonly request_id: string
  readonly data: { readonly code: 1; readonly msg: "ok"; readonly time: string; readonly data: Data }
  readonly meta: { readonly billing: { readonly credits_charged: number; readonly byok_used: boolean } }
  readonly error: null
}

/** By `<company_id>-<import or export>`. */
export const BulkStatus = Schema.Record(
  Schema.String,
  Schema.Struct({ new_add: Schema.Int, active: Schema.Int, potential: Schema.Int })
).annotate({ description: "By <company_id>-<import or export>" })

export const SemanticQuery = Schema.Array(
  Schema.Struct({
    title: Schema.String,
    url: Schema.String,
    contact: Schema.Struct({
      mobile: Schema.String.annotate({ description: "Several with commas between them; empty for none, as all here" }),
      email: Schema.String,
      facebook: Schema.String,
      linkedin: Schema.String,
      instagram: Schema.String,
      twitter: Schema.String
    }),
    from: Schema.String
  }).annotate({ identifier: "ContactHit" })
)

const MatchRow = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  website_url: Text,
  blog_url: Text,
  linkedin_url: Text,
  twitter_url: Text,
  facebook_url: Text,
  phone: Text,
  email: Text,
  founded_year: Schema.NullOr(Schema.Int),
  publicly_traded_symbol: Text,
  publicly_traded_exchange: Text,
  logo_url: Text,
  industries: Text,
  keywords: Schema.String,
  estimated_num_employees: Schema.String,
  raw_address: Schema.String,
  country: Schema.String,
  postal_code: Text,
  short_description: Text,
  annual_revenue: Schema.Finite,
  country_logo: Schema.String,
  logo: Schema.String,
  employee_info_num: Schema.Int
}).annotate({ identifier: "MatchRow" })

export const Match = Schema.Struct({
  row: Schema.NullOr(MatchRow),
  total: Schema.Int,
  addressList: Schema.Array(Schema.Struct({ companyName: Schema.String, area: Text, address: Text })),
  enterpriseList: Schema.String.annotate({ description: "Ids with commas between them" })
})

const Keyword = Schema.Struct({
  keyword: Schema.String,
  trade_count: Schema.Int,
  weight: Schema.NullOr(Schema.Finite),
  amount: Schema.NullOr(Schema.Finite),
  amount_kinds: Schema.Array(Schema.String),
  share: Schema.Finite
}).annotate({ identifier: "ProductKeyword" })

export const ProductKeywords = Schema.Struct({
  list: Schema.Array(Keyword),
  current_page: Schema.String,
  total: Schema.Int
})

const point = {
  quantity: Schema.String,
  weight: Schema.String.annotate({ description: "Kilograms" }),
  amount: Schema.String.annotate({ description: "US dollars" }),
  date: Schema.Int.annotate({ description: "The period's first day, Unix seconds" }),
  sellerCount: Schema.Int,
  buyerCount: Schema.Int,
  monthText: Schema.String,
  tradeCount: Schema.Int
}

export const MarketTrend = Schema.Struct({
  list: Schema.Array(Schema.Struct(point).annotate({ identifier: "TrendPoint" })),
  all_times: Schema.Int,
  all_qty: Schema.Int,
  all_weight: Schema.Int
})

const more = {
  all_times: Schema.Int,
  all_qty: Schema.Int,
  all_weight: Schema.Int,
  quantity_unit: Text.annotate({ description: "UN/CEFACT Recommendation 20: the unit of the quantities" }),
  amount_kinds: Schema.Array(Schema.String).annotate({ description: "What the amounts include" })
}

/** Points like those of the market, for months, quarters or years. */
export const TradeTrends = Schema.Struct({
  list: Schema.Array(Schema.Struct({ ...point, period: Schema.String })),
  ...more
})

const Growth = Schema.NullOr(Schema.Finite)

export const ProcurementTrends = Schema.Struct({
  list: Schema.Array(
    Schema.Struct({
      ...point,
      period: Schema.String,
      growth: Schema.Struct({ tradeCount: Growth, weight: Growth, amount: Growth }).annotate({
        description: "Against the period before: 0.1 is ten percent more; null where that one has nothing"
      })
    })
  ),
  ...more
})
