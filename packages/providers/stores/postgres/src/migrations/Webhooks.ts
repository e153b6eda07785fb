/**
 * Webhooks: the secrets of accounts, sealed; events that were handed over, address and body sealed, with the digests of
 * whom they speak of; and what was tried. A delivery is claimed by moving `next_at` to the end of the claim, so that a
 * claim whose process died is due again by itself.
 */
export const statements: ReadonlyArray<string> = [
  `create table lading.webhook_secrets (
    id bigint generated always as identity primary key,
    account text not null,
    sealed bytea not null,
    -- null for the one that new receivers learn.
    valid_until bigint
  )`,
  `create unique index webhook_secrets_current on lading.webhook_secrets (account) where valid_until is null`,
  `create index webhook_secrets_account on lading.webhook_secrets (account)`,

  // Replaces the secret of an account; the ones before it stay valid until p_until. Gives until when one of them is.
  `create function lading.rotate_webhook_secret(
    p_account text, p_sealed bytea, p_now bigint, p_until bigint, p_most int
  ) returns bigint language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(hashtextextended('lading webhook secret ' || p_account, 0));
    loop
      update lading.webhook_secrets set valid_until = p_until where account = p_account and valid_until is null;
      insert into lading.webhook_secrets (account, sealed) values (p_account, p_sealed)
        on conflict (account) where valid_until is null do nothing;
      -- Else somebody has made the first one meanwhile.
      exit when found;
    end loop;
    delete from lading.webhook_secrets s where s.account = p_account and (s.valid_until <= p_now or s.id not in
      (select id from lading.webhook_secrets where account = p_account order by id desc limit p_most));
    return (select max(valid_until) from lading.webhook_secrets where account = p_account);
  end $$`,

  `create table lading.webhook_deliveries (
    id text primary key,
    account text not null,
    -- Digest of account and receiver.
    lane text not null,
    type text not null,
    url bytea not null,
    body bytea not null,
    subjects text[] not null,
    state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
    created_at bigint not null,
    next_at bigint not null,
    -- null while nobody sends it.
    claim text,
    -- Since it was handed over or last replayed.
    tried int not null default 0,
    expires_at bigint not null,
    kept_until bigint not null
  )`,
  `create index webhook_deliveries_lanes on lading.webhook_deliveries (lane, next_at) where state = 'waiting'`,
  `create index webhook_deliveries_next on lading.webhook_deliveries (next_at) where state = 'waiting'`,
  `create index webhook_deliveries_newest on lading.webhook_deliveries (account, created_at, id)`,
  `create index webhook_deliveries_over on lading.webhook_deliveries (kept_until)`,
  `create index webhook_deliveries_subjects on lading.webhook_deliveries
    using gin (subjects) with (gin_pending_list_limit = 128)`,

  `create table lading.webhook_attempts (
    id bigint generated always as identity primary key,
    delivery text not null references lading.webhook_deliveries (id) on delete cascade,
    at bigint not null,
    duration bigint not null,
    status int,
    problem text
  )`,
  `create index webhook_attempts_delivery on lading.webhook_attempts (delivery, id)`
]
