/**
 * The ledger's second step: several operations of one account in one statement (`ledger_batch`), settlements that may be
 * repeated, outcomes that can be erased, adjustments, and an audit (`LedgerAudit.ts`).
 *
 * Locks are taken in one order everywhere: the account's row in `lading.balances`, then `lading.request_keys`. `erase`
 * takes the table alone and nothing after it, so it waits for batches under way and no batch that holds the table waits
 * for it.
 *
 * Gotchas: a batch takes the table's lock before it looks at the suppressed subjects, in a statement of its own, so that
 * what was suppressed before an `erase` that has ended is always seen. `open_hold` and `settle_hold` go away: a server of
 * the version before, which would store outcomes that nobody can erase, is refused instead.
 */
import * as LedgerAudit from "./LedgerAudit.ts"

const tables: ReadonlyArray<string> = [
  `alter table lading.balances
    -- Amounts stay exact in the application: beyond this a grant is refused.
    add constraint balances_safe check (granted <= 9007199254740991) not valid`,

  // What an adjustment adds is a grant without a key of its own.
  `alter table lading.grants alter column key drop not null`,
  `create table lading.adjustments (
    account text not null,
    key text not null,
    -- What is added, or, below zero, what is taken.
    amount bigint not null,
    reason text not null,
    adjusted_at bigint not null,
    primary key (account, key)
  )`,

  `alter table lading.holds
    -- Digest of the settlement that ended it: the same one may be repeated.
    add column settlement text`,

  `alter table lading.request_keys
    -- SHA-256 of the handles that the outcome speaks of.
    add column subjects text[] not null default '{}',
    add column erased_at bigint`,
  `create index request_keys_subjects on lading.request_keys using gin (subjects) where subjects <> '{}'`,

  `alter table lading.postings
    drop constraint postings_kind_check,
    -- Not valid: what stands there satisfied a narrower one, and need not be read again.
    add constraint postings_kind_check
      check (kind in ('grant', 'adjust', 'hold', 'capture', 'release', 'expire', 'memo')) not valid`,

  `drop function lading.open_hold`,
  `drop function lading.settle_hold`
]

/** What the operations share. All expect the account's row to be locked. */
const parts: ReadonlyArray<string> = [
  // The account's balance, after whatever is over by now has ended.
  `create function lading.current_balance(p_account text, p_now bigint) returns lading.balances language plpgsql as $$
  declare
    v_balance lading.balances;
  begin
    select * into v_balance from lading.balances where account = p_account;
    if v_balance.due_at <= p_now then
      perform lading.bring_up_to_date(p_account, p_now);
      select * into v_balance from lading.balances where account = p_account;
    end if;
    return v_balance;
  end $$`,

  // Takes p_amount out of what is free, what expires first in front.
  `create function lading.take_free(
    p_account text, p_amount bigint, out grant_ids bigint[], out grant_amounts bigint[]
  ) language plpgsql as $$
  declare
    v_grant record;
    v_missing bigint := p_amount;
    v_share bigint;
  begin
    grant_ids := '{}'; grant_amounts := '{}';
    if p_amount = 0 then return; end if;
    for v_grant in
      select id, free from lading.grants where account = p_account and free > 0 order by expires_at nulls last, id
    loop
      v_share := least(v_grant.free, v_missing);
      v_missing := v_missing - v_share;
      grant_ids := grant_ids || v_grant.id;
      grant_amounts := grant_amounts || v_share;
      update lading.grants set free = free - v_share where id = v_grant.id;
      exit when v_missing = 0;
    end loop;
  end $$`,

  // What a settlement posts: p_postings is a JSON array of { book, unit, amount }.
  `create function lading.post(
    p_account text, p_kind text, p_now bigint, p_hold text, p_price_version text, p_postings jsonb
  ) returns void language plpgsql as $$
  declare
    v_group bigint := nextval('lading.posting_groups');
  begin
    insert into lading.postings (account, group_id, line, kind, at, hold, price_version, book, unit, amount)
      select p_account, v_group, l.line - 1, p_kind, p_now, p_hold, p_price_version,
             l.posting ->> 'book', l.posting ->> 'unit', (l.posting ->> 'amount')::bigint
        from jsonb_array_elements(p_postings) with ordinality as l (posting, line);
  end $$`,

  // As before, and writes down what the hold captured and by which settlement.
  `create or replace function lading.end_hold(p_hold lading.holds, p_ending text, p_now bigint)
  returns void language plpgsql as $$
  declare
    v_parent lading.holds;
    v_ids bigint[];
    v_amounts bigint[];
  begin
    update lading.holds
      set remaining = 0, grant_ids = '{}', grant_amounts = '{}', captured = p_hold.captured,
          settlement = p_hold.settlement, ended_at = p_now, ending = p_ending
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
  end $$`
]

/** One operation of a batch; what it came to, `amount` being what is available or what remains. */
const batch: ReadonlyArray<string> = [
  `create type lading.operation as (
    op text,
    -- open
    key text, fingerprint text, amount bigint, ttl bigint, keep bigint, api_key text, operation text,
    -- settle; paid and memos are arrays of { book, unit, amount }, subjects are digests
    hold text, total bigint, paid jsonb, memos jsonb, price_version text, outcome text, settlement text, subjects text[]
  )`,

  `create function lading.batch_open(
    p_account text, p_op lading.operation, p_now bigint,
    out tag text, out hold text, out outcome text, out amount bigint
  ) language plpgsql as $$
  declare
    v_balance lading.balances := lading.current_balance(p_account, p_now);
    v_key lading.request_keys;
    v_parts record;
  begin
    select * into v_key from lading.request_keys k where k.account = p_account and k.key = p_op.key;
    if found and (v_key.settled_at is null or p_now - v_key.settled_at <= v_key.keep) then
      if v_key.fingerprint <> p_op.fingerprint then tag := 'other_request';
      elsif v_key.settled_at is null then tag := 'running';
      elsif v_key.erased_at is not null then tag := 'erased';
      else tag := 'replayed'; outcome := v_key.outcome;
      end if;
      return;
    end if;
    amount := v_balance.granted - v_balance.expired - v_balance.captured - v_balance.held;
    if p_op.amount > amount then
      tag := 'insufficient';
      return;
    end if;
    tag := 'held';
    hold := 'hold_' || gen_random_uuid();
    v_parts := lading.take_free(p_account, p_op.amount);
    insert into lading.holds (id, account, request_key, api_key, operation, amount, remaining,
        grant_ids, grant_amounts, opened_at, expires_at)
      values (hold, p_account, p_op.key, p_op.api_key, p_op.operation, p_op.amount, p_op.amount,
        v_parts.grant_ids, v_parts.grant_amounts, p_now, p_now + p_op.ttl);
    insert into lading.request_keys (account, key, fingerprint, hold, keep)
      values (p_account, p_op.key, p_op.fingerprint, hold, p_op.keep)
      on conflict on constraint request_keys_pkey do update
        set fingerprint = excluded.fingerprint, hold = excluded.hold, keep = excluded.keep,
            outcome = null, settled_at = null, subjects = '{}', erased_at = null;
    update lading.balances b set held = b.held + p_op.amount, due_at = least(b.due_at, p_now + p_op.ttl)
      where b.account = p_account;
    if p_op.amount > 0 then
      perform lading.move(p_account, 'hold', p_now, hold, 'available', 'held', p_op.amount);
    end if;
  end $$`,

  // Stores the outcome under the hold's key; null frees the key.
  `create function lading.store_outcome(p_hold lading.holds, p_op lading.operation, p_now bigint)
  returns void language plpgsql as $$
  declare
    v_erased boolean;
  begin
    if p_op.outcome is null then
      delete from lading.request_keys
        where account = p_hold.account and key = p_hold.request_key and hold = p_hold.id;
      return;
    end if;
    v_erased := exists (select from lading.suppressions where digest = any (p_op.subjects));
    update lading.request_keys
      set settled_at = p_now,
          outcome = case when not v_erased then p_op.outcome end,
          subjects = case when v_erased then '{}' else p_op.subjects end,
          erased_at = case when v_erased then p_now end
      where account = p_hold.account and key = p_hold.request_key and hold = p_hold.id;
  end $$`,

  `create function lading.batch_settle(
    p_account text, p_op lading.operation, p_now bigint,
    out tag text, out hold text, out outcome text, out amount bigint
  ) language plpgsql as $$
  declare
    v_hold lading.holds;
    v_parts record;
  begin
    perform lading.current_balance(p_account, p_now);
    select * into v_hold from lading.holds h where h.id = p_op.hold and h.account = p_account;
    if v_hold.ending = 'settled' and v_hold.settlement = p_op.settlement then tag := 'settled'; return; end if;
    if v_hold.id is null or v_hold.ended_at is not null then tag := 'ended'; return; end if;
    if p_op.total > v_hold.remaining then
      tag := 'exceeded'; amount := v_hold.remaining;
      return;
    end if;
    tag := 'settled';
    if p_op.total > 0 then
      v_parts := lading.take(v_hold.grant_ids, v_hold.grant_amounts, p_op.total);
      v_hold.remaining := v_hold.remaining - p_op.total;
      v_hold.grant_ids := v_parts.left_ids;
      v_hold.grant_amounts := v_parts.left_amounts;
      v_hold.captured := p_op.total;
      update lading.balances b set held = b.held - p_op.total, captured = b.captured + p_op.total
        where b.account = p_account;
      perform lading.post(p_account, 'capture', p_now, p_op.hold, p_op.price_version, p_op.paid);
    end if;
    if jsonb_array_length(p_op.memos) > 0 then
      perform lading.post(p_account, 'memo', p_now, p_op.hold, p_op.price_version, p_op.memos);
    end if;
    v_hold.settlement := p_op.settlement;
    perform lading.end_hold(v_hold, 'settled', p_now);
    if v_hold.request_key is not null then perform lading.store_outcome(v_hold, p_op, p_now); end if;
  end $$`,

  // Does the operations in order; p_ops is a JSON array of lading.operation. One row for each, n counts from 1.
  `create function lading.ledger_batch(p_account text, p_ops jsonb, p_now bigint)
  returns table (n bigint, tag text, hold text, outcome text, amount bigint) language plpgsql as $$
  declare
    v_op lading.operation;
  begin
    perform lading.lock_account(p_account, p_now);
    lock table lading.request_keys in row exclusive mode;
    n := 0;
    for v_op in select * from jsonb_populate_recordset(null::lading.operation, p_ops) loop
      n := n + 1;
      if v_op.op = 'open' then
        select * into tag, hold, outcome, amount from lading.batch_open(p_account, v_op, p_now);
      else
        select * into tag, hold, outcome, amount from lading.batch_settle(p_account, v_op, p_now);
      end if;
      return next;
    end loop;
  end $$`
]

const operations: ReadonlyArray<string> = [
  `create function lading.adjust_credits(
    p_account text, p_key text, p_amount bigint, p_reason text, p_now bigint, out tag text, out available bigint
  ) language plpgsql as $$
  declare
    v_balance lading.balances;
  begin
    perform lading.lock_account(p_account, p_now);
    tag := 'adjusted';
    perform from lading.adjustments a where a.account = p_account and a.key = p_key;
    if found then return; end if;
    v_balance := lading.current_balance(p_account, p_now);
    available := v_balance.granted - v_balance.expired - v_balance.captured - v_balance.held;
    if available + p_amount < 0 then tag := 'insufficient'; return; end if;
    insert into lading.adjustments (account, key, amount, reason, adjusted_at)
      values (p_account, p_key, p_amount, p_reason, p_now);
    if p_amount = 0 then return; end if;
    update lading.balances set granted = granted + p_amount where account = p_account;
    if p_amount > 0 then
      insert into lading.grants (account, key, amount, free, expires_at, reason, granted_at)
        values (p_account, null, p_amount, p_amount, null, p_reason, p_now);
    else
      perform lading.take_free(p_account, -p_amount);
    end if;
    perform lading.move(p_account, 'adjust', p_now, null, 'granted', 'available', p_amount);
  end $$`,

  // Whoever reads p_digests in lading.suppressions after this function's commit has the outcome erased by itself.
  `create function lading.erase_outcomes(p_digests text[], p_now bigint) returns bigint language plpgsql as $$
  declare
    v_erased bigint;
  begin
    lock table lading.request_keys in share row exclusive mode;
    update lading.request_keys set outcome = null, subjects = '{}', erased_at = p_now
      where subjects <> '{}' and subjects && p_digests;
    get diagnostics v_erased = row_count;
    return v_erased;
  end $$`,

  // Keys whose outcome is kept no longer. It waits for no row: two that wait for each other's rows would be a deadlock.
  `create function lading.forget_keys(p_now bigint) returns void language sql as $$
    delete from lading.request_keys k using (
        select account, key from lading.request_keys
          where settled_at is not null and settled_at + keep < p_now for update skip locked
      ) over where k.account = over.account and k.key = over.key
  $$`
]

export const statements: ReadonlyArray<string> = [
  ...tables,
  ...parts,
  ...batch,
  ...operations,
  ...LedgerAudit.statements
]
