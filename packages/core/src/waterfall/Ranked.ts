/** Why a source stands where it does in an order by expected cost. */
import { Schema } from "effect"

export const Ranked = Schema.Struct({
  source: Schema.String,
  rank: Schema.Int.annotate({ description: "From 1" }),
  expected_cost: Schema.Finite.annotate({ description: "Credits until this source alone has given one hit" }),
  hit_rate: Schema.Finite.annotate({ description: "The hit rate that was expected of it" }),
  observations: Schema.Finite.annotate({
    description: "Answers behind it, older ones counting less, to one digit; 0 below 20"
  }),
  segment_observations: Schema.Finite.annotate({
    description: "Of them, answers to questions like this one, to one digit; 0 below 20"
  })
}).annotate({ identifier: "RankedSource" })
export type Ranked = typeof Ranked.Type
