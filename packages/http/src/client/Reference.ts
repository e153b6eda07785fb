/** `/api/reference/*` with promises: what stands under `data`. */
import { CodesOf, IndustryList, TechnologyList } from "../api/ReferenceGroup.ts"
import { type Client, got, type Plain, type ReadOptions } from "./Call.ts"

/** Words that all have to occur. */
export interface Search {
  readonly q?: string
}

export const connect = ({ reference }: Client) => ({
  /** Countries and languages; the one question that needs no key. */
  codes: (options: ReadOptions = {}): Plain<typeof CodesOf> => got(CodesOf, reference.codes(), options),
  industries: (query: Search = {}, options: ReadOptions = {}): Plain<typeof IndustryList> =>
    got(IndustryList, reference.industries({ query }), options),
  technologies: (query: Search = {}, options: ReadOptions = {}): Plain<typeof TechnologyList> =>
    got(TechnologyList, reference.technologies({ query }), options)
})
