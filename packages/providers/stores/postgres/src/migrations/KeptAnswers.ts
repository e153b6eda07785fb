/**
 * What is kept of people and companies, sealed (see `Seal`): every answer of a source, as long as it may answer equal
 * questions or be replayed, and the log of runs. The newest answer to a question that has not expired is the answer
 * cache. `question` is a digest; the columns beside it say what operators may know.
 *
 * The indexes of subjects put what is new aside and sort it in when there are 128 kB of it: at the usual 4 MB everybody
 * would wait for that at once.
 *
 * `subjects` are digests of the handles that a row speaks of: by them it is erased. The cache before this step held keys
 * and answers in plain text; it is dropped, which costs no more than asking again.
 */
export const statements: ReadonlyArray<string> = [
  `drop table lading.answers`,

  `create table lading.kept_answers (
    question bytea not null,
    observed_at bigint not null,
    source text not null,
    adapter text not null,
    operation text not null,
    sealed bytea not null,
    subjects text[] not null,
    -- Until then it answers equal questions.
    expires_at bigint not null,
    -- Until then it can be replayed.
    kept_until bigint not null,
    primary key (question, observed_at)
  )`,
  `create index kept_answers_over on lading.kept_answers (greatest(expires_at, kept_until))`,
  `create index kept_answers_subjects on lading.kept_answers using gin (subjects) with (gin_pending_list_limit = 128)`,

  `create table lading.runs (
    request_id text primary key,
    account text not null,
    operation text not null,
    at bigint not null,
    sealed bytea not null,
    subjects text[] not null,
    kept_until bigint not null
  )`,
  `create index runs_over on lading.runs (kept_until)`,
  `create index runs_subjects on lading.runs using gin (subjects) with (gin_pending_list_limit = 128)`,

  `create table lading.erasures (
    id text primary key,
    kind text not null,
    digest text not null,
    erased_at bigint not null,
    erased jsonb not null
  )`,
  `create index erasures_newest on lading.erasures (erased_at)`
]
