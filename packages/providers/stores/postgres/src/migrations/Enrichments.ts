/**
 * Enrichments that were answered before all of their sources were, sealed, with the digests of whom they speak of.
 * `revision` rises with every change: whoever changes one says which state it was made from.
 */
export const statements: ReadonlyArray<string> = [
  `create table lading.enrichments (
    request_id text primary key,
    account text not null,
    operation text not null,
    revision int not null,
    sealed bytea not null,
    subjects text[] not null,
    kept_until bigint not null
  )`,
  `create index enrichments_over on lading.enrichments (kept_until)`,
  `create index enrichments_subjects on lading.enrichments using gin (subjects) with (gin_pending_list_limit = 128)`
]
