/** Accounts, API keys (digests only) and suppressed subjects (digests only). */
export const statements: ReadonlyArray<string> = [
  `create schema if not exists lading`,

  `create table lading.accounts (
    id text primary key,
    name text not null unique,
    created_at bigint not null
  )`,

  `create table lading.api_keys (
    id text primary key,
    account text not null references lading.accounts (id),
    digest text not null unique check (digest ~ '^[0-9a-f]{64}$'),
    scopes text[] not null,
    label text not null,
    expires_at bigint,
    revoked_at bigint,
    created_at bigint not null
  )`,

  `create table lading.suppressions (
    digest text primary key,
    created_at bigint not null
  )`
]
