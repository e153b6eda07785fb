/**
 * The port of an index of companies: those that this installation knows, every trader of its customs records and every
 * company that an enrichment answered with, in one searchable list. The rules of its answers are in `CompanyQuestion` and
 * `CompanyFacets`; `CompanyIndexMemory` is these rules as an index.
 *
 * A company that was put is one with a trader where its domain is known to be the trader's, or where it has a name of the
 * trader and its country: then it has the trader's id and records, and says the rest itself.
 *
 * Gotcha: what customs records say is there some moments after an import was published.
 */
import { Context, Effect, Schema } from "effect"
import type { Facets } from "./CompanyFacets.ts"
import type { Filter, Position, Question, Row } from "./CompanyQuestion.ts"
import type { KnownCompany, Said } from "./KnownCompany.ts"

/** The index does not answer now. `problem` is for operators, and has no value of a question in it. */
export class CompanyIndexUnavailable extends Schema.TaggedError<CompanyIndexUnavailable>()("CompanyIndexUnavailable", {
  problem: Schema.String
}) {}

export interface Listed {
  readonly list: ReadonlyArray<Row>
  readonly total: number
  /** To go on from; `null` at the end. */
  readonly next: Position | null
}

/** What a company is recognised by. */
export type Identity = Pick<Said, "country" | "domain" | "name">

type Asked<A> = Effect.Effect<A, CompanyIndexUnavailable>

export class CompanyIndex extends Context.Service<
  CompanyIndex,
  {
    /** What is put again takes the place of what was known. That nobody is put who has objected is the affair of who puts. */
    readonly put: (companies: ReadonlyArray<KnownCompany>) => Asked<void>
    readonly search: (question: Question) => Asked<Listed>
    readonly facets: (filter: Filter, account: string) => Asked<Facets>
    /** For each of these the company that is known by its domain, else by its name in its country. */
    readonly known: (identities: ReadonlyArray<Identity>, account: string) => Asked<ReadonlyArray<Row | null>>
    readonly byId: (company_id: string, account: string) => Asked<Row | null>
    /** Forgets what was put about one of these handles; gives their number. Customs records stay. */
    readonly erase: (handles: ReadonlyArray<string>) => Asked<number>
  }
>()("@lading/core/company/CompanyIndex") {}

/** Asks whichever index there is at the moment of the question. */
export const following = (current: Asked<CompanyIndex["Service"]>): CompanyIndex["Service"] => ({
  put: (companies) => Effect.flatMap(current, (index) => index.put(companies)),
  search: (question) => Effect.flatMap(current, (index) => index.search(question)),
  facets: (filter, account) => Effect.flatMap(current, (index) => index.facets(filter, account)),
  known: (identities, account) => Effect.flatMap(current, (index) => index.known(identities, account)),
  byId: (company_id, account) => Effect.flatMap(current, (index) => index.byId(company_id, account)),
  erase: (handles) => Effect.flatMap(current, (index) => index.erase(handles))
})
