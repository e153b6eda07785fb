/**
 * The ledger: tables, and one function per operation, so that a hold or a settlement is one statement.
 *
 * Each function locks the row of its account in `lading.balances` first, and no other, so operations on one account
 * queue and a deadlock is impossible. `FOR UPDATE` locks nothing where there is no row: `lock_account` inserts a zero
 * row before. Time is a parameter (epoch milliseconds, `p_now`): one clock for memory, tests and database.
 *
 * A hold keeps the grants that its credits came from in two parallel arrays, the grant that expires first in front.
 * Amounts are millionths of a credit; the application keeps them below 2^53.
 */
const tables: ReadonlyArray<string> = [
  `create table lading.balances (
    account text primary key,
    granted bigint not null default 0 check (granted >= 0),
    expired bigint not null default 0 check (expired >= 0),
    captured bigint not null default 0 check (captured >= 0),
    held bigint not null default 0 check (held >= 0),
    -- Until then nothing is over in this account: no hold, no grant.
    due_at bigint not null default 9223372036854775807,
    check (granted - expired - captured - held >= 0)
  )`,
  `create index balances_due on lading.balances (due_at)`,

  `create table lading.grants (
    id bigint generated always as identity primary key,
    account text not null,
    key text not null,
    amount bigint not null check (amount >= 0),
    -- What is neither spent, nor held, nor expired.
    free bigint not null check (free >= 0 and free <= amount),
    expires_at bigint,
    reason text not null,
    granted_at bigint not null,
    unique (account, key)
  )`,
  `create index grants_by_expiry on lading.grants (account, expires_at) where expires_at is not null`,
  `create index grants_free on lading.grants (account, expires_at, id) where free > 0`,

  `create table lading.holds (
    id text primary key,
    account text not null,
    parent text references lading.holds (id),
    request_key text,
    api_key text,
    operation text not null,
    amount bigint not null check (amount >= 0),
    remaining bigint not null check (remaining >= 0),
    captured bigint not null default 0 check (captured >= 0),
    grant_ids bigint[] not null,
    grant_amounts bigint[] not null,
    opened_at bigint not null,
    expires_at bigint not null,
    ended_at bigint,
    ending text check (ending in ('settled', 'expired')),
    check (captured + remaining <= amount),
    check ((ended_at is null) = (ending is null))
  )`,
  `create index holds_open on lading.holds (account, expires_at) where ended_at is null`,
  `create index holds_usage on lading.holds (account, opened_at)`,

  `create table lading.request_keys (
    account text not null,
    key text not null,
    fingerprint text not null,
    hold text not null,
    -- How long the outcome can be replayed, in milliseconds.
    keep bigint not null,
    outcome text,
    settled_at bigint,
    primary key (account, key)
  )`,
  `create index request_keys_over on lading.request_keys ((settled_at + keep)) where settled_at is not null`,

  `create sequence lading.posting_groups`,
  `create table lading.postings (
    account text not null,
    group_id bigint not null,
    line smallint not null,
    kind text not null check (kind in ('grant', 'hold', 'capture', 'release', 'expire', 'memo')),
    at bigint not null,
    hold text,
    price_version text,
    book text not null,
    unit text not null,
    amount bigint not null check (amount <> 0),
    primary key (account, group_id, line)
  )`,
  `create function lading.refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception 'the journal is append-only';
  end $$`,
  `create trigger postings_append_only before update or delete or truncate on lading.postings
    for each statement execute function lading.refuse_change()`
]

/** What the operations share. All but `lock_account` expect the account's row to be locked. */
const parts: ReadonlyArray<string> = [
  // Two postings of credits: `from` pays `to`.
  `create function lading.move(
    p_account text, p_kind text, p_now bigint, p_hold text, p_from text, p_to text, p_amount bigint
  ) returns void language plpgsql as $$
  declare
    v_group bigint := nextval('lading.posting_groups');
  begin
    insert into lading.postings (account, group_id, line, kind, at, hold, book, unit, amount) values
      (p_account, v_group, 0, p_kind, p_now, p_hold, p_from, 'credit', -p_amount),
      (p_account, v_group, 1, p_kind, p_now, p_hold, p_to, 'credit', p_amount);
  end $$`,

  `create function lading.expire_grants(p_account text, p_now bigint) returns void language plpgsql as $$
  declare
    v_over bigint;
  begin
    select sum(free) into v_over from lading.grants where account = p_account and free > 0 and expires_at <= p_now;
    if v_over is null then return; end if;
    update lading.grants set free = 0 where account = p_account and free > 0 and expires_at <= p_now;
    update lading.balances set expired = expired + v_over where account = p_account;
    perform lading.move(p_account, 'expire', p_now, null, 'available', 'expired', v_over);
  end $$`,

  // What remains goes back to the parent, or to the grants it came from when the parent has ended.
  `create function lading.end_hold(p_hold lading.holds, p_ending text, p_now bigint) returns void language plpgsql as $$
  declare
    v_parent lading.holds;
    v_ids bigint[];
    v_amounts bigint[];
  begin
    update lading.holds set remaining = 0, grant_ids = '{}', grant_amounts = '{}', ended_at = p_now, ending = p_ending
      where id = p_hold.id;
    if p_hold.remaining = 0 then return; end if;
    if p_hold.parent is not null then
      select * into v_parent from lading.holds where id = p_hold.parent and ended_at is null;
      if found then
        select array_agg(s.id order by s.expires_at nulls last, s.id),
               array_agg(s.amount order by s.expires_at nulls last, s.id)
          into v_ids, v_amounts
          from (
            select p.id, g.expires_at, sum(p.amount)::bigint as amount
              from (
                select * from unnest(p_hold.grant_ids, p_hold.grant_amounts) as c (id, amount)
                union all
                select * from unnest(v_parent.grant_ids, v_parent.grant_amounts) as d (id, amount)
              ) p join lading.grants g on g.id = p.id
              group by p.id, g.expires_at
          ) s;
        update lading.holds
          set remaining = remaining + p_hold.remaining, grant_ids = v_ids, grant_amounts = v_amounts
          where id = v_parent.id;
        return;
      end if;
    end if;
    update lading.balances set held = held - p_hold.remaining where account = p_hold.account;
    update lading.grants g set free = g.free + p.amount
      from unnest(p_hold.grant_ids, p_hold.grant_amounts) as p (id, amount) where g.id = p.id;
    perform lading.move(p_hold.account, 'release', p_now, p_hold.id, 'held', 'available', p_hold.remaining);
    perform lading.expire_grants(p_hold.account, p_now);
  end $$`,

  // Ends the holds and grants that are over; gives the number of holds.
  `create function lading.bring_up_to_date(p_account text, p_now bigint) returns int language plpgsql as $$
  declare
    v_hold lading.holds;
    v_ended int := 0;
  begin
    loop
      -- Read one by one: ending a child changes what its parent has to give back.
      select * into v_hold from lading.holds
        where account = p_account and ended_at is null and expires_at <= p_now order by expires_at limit 1;
      exit when not found;
      perform lading.end_hold(v_hold, 'expired', p_now);
      delete from lading.request_keys
        where account = p_account and key = v_hold.request_key and hold = v_hold.id and settled_at is null;
      v_ended := v_ended + 1;
    end loop;
    perform lading.expire_grants(p_account, p_now);
    update lading.balances set due_at = least(
        (select min(expires_at) from lading.holds where account = p_account and ended_at is null),
        (select min(expires_at) from lading.grants where account = p_account and expires_at > p_now),
        9223372036854775807
      ) where account = p_account;
    return v_ended;
  end $$`,

  // Locks the account, brings it up to date and gives its balance.
  `create function lading.lock_account(p_account text, p_now bigint) returns lading.balances language plpgsql as $$
  declare
    v_balance lading.balances;
  begin
    select * into v_balance from lading.balances where account = p_account for update;
    if not found then
      insert into lading.balances (account) values (p_account) on conflict do nothing;
      select * into v_balance from lading.balances where account = p_account for update;
    end if;
    if v_balance.due_at <= p_now then
      perform lading.bring_up_to_date(p_account, p_now);
      select * into v_balance from lading.balances where account = p_account;
    end if;
    return v_balance;
  end $$`,

  // Locks the hold's account and gives the hold; a null row when it has ended.
  `create function lading.lock_hold(p_hold text, p_now bigint) returns lading.holds language plpgsql as $$
  declare
    v_hold lading.holds;
  begin
    select * into v_hold from lading.holds where id = p_hold;
    if not found then return null; end if;
    perform lading.lock_account(v_hold.account, p_now);
    select * into v_hold from lading.holds where id = p_hold and ended_at is null;
    if not found then return null; end if;
    return v_hold;
  end $$`,

  // The first p_amount of the parts, and what is left behind.
  `create function lading.take(
    p_ids bigint[], p_amounts bigint[], p_amount bigint,
    out taken_ids bigint[], out taken_amounts bigint[], out left_ids bigint[], out left_amounts bigint[]
  ) language plpgsql immutable as $$
  declare
    v_missing bigint := p_amount;
    v_share bigint;
  begin
    taken_ids := '{}'; taken_amounts := '{}'; left_ids := '{}'; left_amounts := '{}';
    for i in 1 .. cardinality(p_ids) loop
      v_share := least(p_amounts[i], v_missing);
      v_missing := v_missing - v_share;
      if v_share > 0 then
        taken_ids := taken_ids || p_ids[i]; taken_amounts := taken_amounts || v_share;
      end if;
      if v_share < p_amounts[i] then
        left_ids := left_ids || p_ids[i]; left_amounts := left_amounts || (p_amounts[i] - v_share);
      end if;
    end loop;
  end $$`
]

const operations: ReadonlyArray<string> = [
  `create function lading.open_hold(
    p_account text, p_key text, p_fingerprint text, p_amount bigint, p_now bigint, p_ttl bigint, p_keep bigint,
    p_api_key text, p_operation text,
    out tag text, out hold text, out outcome text, out available bigint
  ) language plpgsql as $$
  declare
    v_balance lading.balances;
    v_key lading.request_keys;
    v_grant record;
    v_missing bigint := p_amount;
    v_share bigint;
    v_ids bigint[] := '{}';
    v_amounts bigint[] := '{}';
  begin
    v_balance := lading.lock_account(p_account, p_now);
    select * into v_key from lading.request_keys where account = p_account and key = p_key;
    if found and (v_key.settled_at is null or p_now - v_key.settled_at <= v_key.keep) then
      if v_key.fingerprint <> p_fingerprint then tag := 'other_request';
      elsif v_key.settled_at is null then tag := 'running';
      else tag := 'replayed'; outcome := v_key.outcome;
      end if;
      return;
    end if;

    available := v_balance.granted - v_balance.expired - v_balance.captured - v_balance.held;
    if p_amount > available then
      tag := 'insufficient';
      return;
    end if;
    if p_amount > 0 then
      for v_grant in
        select id, free from lading.grants where account = p_account and free > 0 order by expires_at nulls last, id
      loop
        exit when v_missing = 0;
        v_share := least(v_grant.free, v_missing);
        v_missing := v_missing - v_share;
        v_ids := v_ids || v_grant.id;
        v_amounts := v_amounts || v_share;
        update lading.grants set free = free - v_share where id = v_grant.id;
      end loop;
    end if;

    tag := 'held';
    hold := 'hold_' || gen_random_uuid();
    insert into lading.holds (id, account, request_key, api_key, operation, amount, remaining,
        grant_ids, grant_amounts, opened_at, expires_at)
      values (hold, p_account, p_key, p_api_key, p_operation, p_amount, p_amount, v_ids, v_amounts, p_now, p_now + p_ttl);
    insert into lading.request_keys (account, key, fingerprint, hold, keep)
      values (p_account, p_key, p_fingerprint, hold, p_keep)
      on conflict (account, key) do update
        set fingerprint = excluded.fingerprint, hold = excluded.hold, keep = excluded.keep, outcome = null, settled_at = null;
    update lading.balances set held = held + p_amount, due_at = least(due_at, p_now + p_ttl) where account = p_account;
    if p_amount > 0 then perform lading.move(p_account, 'hold', p_now, hold, 'available', 'held', p_amount); end if;
  end $$`,

  `create function lading.split_hold(
    p_parent text, p_amount bigint, p_now bigint, p_ttl bigint, out tag text, out hold text, out remaining bigint
  ) language plpgsql as $$
  declare
    v_parent lading.holds;
    v_parts record;
  begin
    v_parent := lading.lock_hold(p_parent, p_now);
    if v_parent.id is null then tag := 'ended'; return; end if;
    if p_amount > v_parent.remaining then
      tag := 'exceeded'; remaining := v_parent.remaining;
      return;
    end if;
    v_parts := lading.take(v_parent.grant_ids, v_parent.grant_amounts, p_amount);
    tag := 'held';
    hold := 'hold_' || gen_random_uuid();
    update lading.holds h
      set remaining = h.remaining - p_amount, grant_ids = v_parts.left_ids, grant_amounts = v_parts.left_amounts
      where h.id = p_parent;
    insert into lading.holds (id, account, parent, api_key, operation, amount, remaining,
        grant_ids, grant_amounts, opened_at, expires_at)
      values (hold, v_parent.account, p_parent, v_parent.api_key, v_parent.operation, p_amount, p_amount,
        v_parts.taken_ids, v_parts.taken_amounts, p_now, p_now + p_ttl);
    update lading.balances set due_at = least(due_at, p_now + p_ttl) where account = v_parent.account;
  end $$`,

  // p_paid and p_memos are JSON arrays of { book, unit, amount }.
  `create function lading.settle_hold(
    p_hold text, p_total bigint, p_paid jsonb, p_memos jsonb, p_price_version text, p_outcome text, p_now bigint,
    out tag text, out remaining bigint
  ) language plpgsql as $$
  declare
    v_hold lading.holds;
    v_parts record;
    v_group bigint;
  begin
    v_hold := lading.lock_hold(p_hold, p_now);
    if v_hold.id is null then tag := 'ended'; return; end if;
    if p_total > v_hold.remaining then
      tag := 'exceeded'; remaining := v_hold.remaining;
      return;
    end if;
    if p_total > 0 then
      v_parts := lading.take(v_hold.grant_ids, v_hold.grant_amounts, p_total);
      v_hold.remaining := v_hold.remaining - p_total;
      v_hold.grant_ids := v_parts.left_ids;
      v_hold.grant_amounts := v_parts.left_amounts;
      update lading.holds h set captured = p_total, remaining = v_hold.remaining where h.id = p_hold;
      update lading.balances set held = held - p_total, captured = captured + p_total where account = v_hold.account;
      v_group := nextval('lading.posting_groups');
      insert into lading.postings (account, group_id, line, kind, at, hold, price_version, book, unit, amount)
        select v_hold.account, v_group, l.line - 1, 'capture', p_now, p_hold, p_price_version,
               l.posting ->> 'book', l.posting ->> 'unit', (l.posting ->> 'amount')::bigint
          from jsonb_array_elements(p_paid) with ordinality as l (posting, line);
    end if;
    if jsonb_array_length(p_memos) > 0 then
      v_group := nextval('lading.posting_groups');
      insert into lading.postings (account, group_id, line, kind, at, hold, price_version, book, unit, amount)
        select v_hold.account, v_group, l.line - 1, 'memo', p_now, p_hold, p_price_version,
               l.posting ->> 'book', l.posting ->> 'unit', (l.posting ->> 'amount')::bigint
          from jsonb_array_elements(p_memos) with ordinality as l (posting, line);
    end if;
    perform lading.end_hold(v_hold, 'settled', p_now);
    if v_hold.request_key is not null then
      if p_outcome is null then
        delete from lading.request_keys where account = v_hold.account and key = v_hold.request_key and hold = p_hold;
      else
        update lading.request_keys set outcome = p_outcome, settled_at = p_now
          where account = v_hold.account and key = v_hold.request_key and hold = p_hold;
      end if;
    end if;
    tag := 'settled';
  end $$`,

  `create function lading.grant_credits(
    p_account text, p_key text, p_amount bigint, p_expires_at bigint, p_reason text, p_now bigint
  ) returns void language plpgsql as $$
  begin
    perform lading.lock_account(p_account, p_now);
    insert into lading.grants (account, key, amount, free, expires_at, reason, granted_at)
      values (p_account, p_key, p_amount, p_amount, p_expires_at, p_reason, p_now)
      on conflict (account, key) do nothing;
    if not found then return; end if;
    update lading.balances set granted = granted + p_amount, due_at = least(due_at, p_expires_at)
      where account = p_account;
    if p_amount > 0 then perform lading.move(p_account, 'grant', p_now, null, 'granted', 'available', p_amount); end if;
    perform lading.lock_account(p_account, p_now);
  end $$`,

  `create function lading.balance_of(p_account text, p_now bigint) returns lading.balances language plpgsql as $$
  declare
    v_balance lading.balances;
  begin
    select * into v_balance from lading.balances where account = p_account;
    if found and v_balance.due_at <= p_now then v_balance := lading.lock_account(p_account, p_now); end if;
    return v_balance;
  end $$`,

  `create function lading.expire_account(p_account text, p_now bigint) returns int language plpgsql as $$
  begin
    perform 1 from lading.balances where account = p_account for update;
    return lading.bring_up_to_date(p_account, p_now);
  end $$`
]

export const statements: ReadonlyArray<string> = [...tables, ...parts, ...operations]
