/**
 * The answer cache. `key` and `answer` are JSON text and not `jsonb`, which cannot hold the character U+0000 that a
 * vendor may send. The primary key is a digest, since an index row must stay below a third of a page.
 */
export const statements: ReadonlyArray<string> = [
  `create table lading.answers (
    digest bytea primary key,
    key text not null,
    answer text not null,
    observed_at bigint not null,
    expires_at bigint not null
  )`,

  `create index answers_by_expiry on lading.answers (expires_at)`
]
