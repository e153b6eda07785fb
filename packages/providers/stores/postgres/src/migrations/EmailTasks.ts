/**
 * Lists of addresses that are verified after their requests. A list comes in pieces with numbers below zero; arranged, it
 * stands in chunks from 0 on, each sealed, with the digests of whom it speaks of. `revision` rises with every change of a
 * chunk: whoever changes one says which state it was made from.
 */
export const statements: ReadonlyArray<string> = [
  `create table lading.email_tasks (
    id text primary key,
    account text not null,
    state text not null,
    sealed bytea not null,
    charged bigint,
    ended_at bigint,
    kept_until bigint not null
  )`,
  `create index email_tasks_over on lading.email_tasks (kept_until)`,
  `create table lading.email_chunks (
    task text not null references lading.email_tasks on delete cascade,
    number int not null,
    lane int not null,
    size int not null,
    checked int not null,
    definite int not null,
    due bigint,
    revision int not null,
    sealed bytea not null,
    subjects text[] not null,
    primary key (task, number)
  )`,
  `create index email_chunks_subjects on lading.email_chunks using gin (subjects) with (gin_pending_list_limit = 128)`,
  `create table lading.email_names (
    task text not null references lading.email_tasks on delete cascade,
    lane int not null,
    name text not null,
    primary key (task, lane)
  )`
]
