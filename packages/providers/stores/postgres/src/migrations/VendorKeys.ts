/**
 * Own keys of accounts at vendors, sealed (see `Keyring`), one for each slot. Which key of the installation a row is sealed
 * with stands in the first bytes of the seal. They belong to accounts, not to anybody whom an answer speaks of.
 */
export const statements: ReadonlyArray<string> = [
  `create table lading.vendor_keys (
    account text not null,
    slot text not null,
    adapter text not null,
    credential text not null check (credential in ('ApiKey', 'Client')),
    sealed bytea not null,
    -- The last characters of a long key.
    hint text,
    saved_at bigint not null,
    -- Id of an API key.
    saved_by text,
    -- null where the vendor was not asked.
    checked_at bigint,
    primary key (account, slot)
  )`
]
