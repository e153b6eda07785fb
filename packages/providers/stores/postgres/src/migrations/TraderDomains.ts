/**
 * Whose web domain it is, as enrichments said. A sole trader is a person, so names and domains are sealed; they are found
 * by digests. `subjects` are digests of the handles that a row speaks of.
 */
export const statements: ReadonlyArray<string> = [
  `create table lading.trader_domains (
    -- Of a trader's id, or of a name and its country.
    trader text not null,
    origin text not null check (origin in ('enrichment', 'operator')),
    domain text not null,
    sealed bytea not null,
    at bigint not null,
    subjects text[] not null,
    primary key (trader, origin)
  )`,
  `create index trader_domains_domain on lading.trader_domains (domain)`,
  `create index trader_domains_subjects on lading.trader_domains using gin (subjects) with (gin_pending_list_limit = 128)`
]
