/**
 * People that enrichments answered with, by the domain of their company. They are sealed, and found by digests; `subjects`
 * are digests of the handles that a row speaks of. `account` is empty for what is everybody's.
 */
export const statements: ReadonlyArray<string> = [
  `create table lading.known_people (
    domain text not null,
    account text not null,
    -- Of the name.
    person text not null,
    sealed bytea not null,
    at bigint not null,
    kept_until bigint not null,
    subjects text[] not null,
    primary key (domain, account, person)
  )`,
  `create index known_people_over on lading.known_people (kept_until)`,
  `create index known_people_subjects on lading.known_people using gin (subjects) with (gin_pending_list_limit = 128)`
]
