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
    add column settlement text,
    -- Whether its request takes the key; else the key only names the request.
    add column takes_key boolean not null default true,
    -- In which order they were opened: a child after its parent.
    add column nr bigint generated always as identity`,

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
  // As before, in the order in which the holds ended, as if somebody had watched all the time: what a child gives back to
  // its parent depends on which of them ended first. At one time the younger is first.
  `create or replace function lading.bring_up_to_date(p_account text, p_now bigint) returns int language plpgsql as $$
  declare
    v_hold lading.holds;
    v_ended int := 0;
  begin
    loop
      -- Read one by one: ending a child changes what its parent has to give back.
      select * into v_hold from lading.holds
        where account = p_account and ended_at is null and expires_at <= p_now order by expires_at, nr desc limit 1;
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

/**
 * A batch. What all its operations change, the balance and the free credits of grants, is read once, kept in a
 * `batch_state` while they are done in order, and written once: a row that is changed by each of them would leave a
 * version for each of them to walk over.
 */
const batch: ReadonlyArray<string> = [
  `create type lading.operation as (
    op text,
    -- open
    key text, fingerprint text, amount bigint, ttl bigint, keep bigint, api_key text, operation text,
    -- settle; paid and memos are arrays of { book, unit, amount }, subjects are digests
    hold text, total bigint, paid jsonb, memos jsonb, price_version text, outcome text, settlement text, subjects text[]
  )`,

  `create type lading.batch_state as (
    account text, now bigint,
    -- As in balances.
    available bigint, captured bigint, held bigint, due_at bigint,
    -- The first grants that have something free, what expires first in front, and what they have.
    lot_ids bigint[], lot_free bigint[],
    -- What the operation came to; amount is what is available, or what remains in the hold.
    tag text, hold text, outcome text, amount bigint
  )`,

  `create function lading.load_state(p_account text, p_now bigint) returns lading.batch_state language plpgsql as $$
  declare
    v_balance lading.balances := lading.current_balance(p_account, p_now);
    v_state lading.batch_state;
  begin
    v_state.account := p_account;
    v_state.now := p_now;
    v_state.available := v_balance.granted - v_balance.expired - v_balance.captured - v_balance.held;
    v_state.captured := v_balance.captured;
    v_state.held := v_balance.held;
    v_state.due_at := v_balance.due_at;
    select coalesce(array_agg(id order by expires_at nulls last, id), '{}'),
           coalesce(array_agg(free order by expires_at nulls last, id), '{}')
      into v_state.lot_ids, v_state.lot_free
      from (
        select id, free, expires_at from lading.grants
          where account = p_account and free > 0 order by expires_at nulls last, id limit 100
      ) lots;
    return v_state;
  end $$`,

  `create function lading.store_state(p_state lading.batch_state) returns void language plpgsql as $$
  begin
    update lading.balances set captured = p_state.captured, held = p_state.held, due_at = p_state.due_at
      where account = p_state.account
        and (captured, held, due_at) is distinct from (p_state.captured, p_state.held, p_state.due_at);
    update lading.grants g set free = l.free
      from unnest(p_state.lot_ids, p_state.lot_free) as l (id, free) where g.id = l.id and g.free <> l.free;
  end $$`,

  `create function lading.batch_open(p_state lading.batch_state, p_op lading.operation)
  returns lading.batch_state language plpgsql as $$
  declare
    v_key lading.request_keys;
    v_missing bigint := p_op.amount;
    v_share bigint;
    v_ids bigint[] := '{}';
    v_amounts bigint[] := '{}';
  begin
    -- Without a fingerprint nobody can repeat the request: no key is looked for, and none is taken.
    if p_op.fingerprint is not null then
      select * into v_key from lading.request_keys where account = p_state.account and key = p_op.key;
    end if;
    if v_key.key is not null and (v_key.settled_at is null or p_state.now - v_key.settled_at <= v_key.keep) then
      if v_key.fingerprint <> p_op.fingerprint then p_state.tag := 'other_request';
      elsif v_key.settled_at is null then p_state.tag := 'running';
      elsif v_key.erased_at is not null then p_state.tag := 'erased';
      else p_state.tag := 'replayed'; p_state.outcome := v_key.outcome;
      end if;
      return p_state;
    end if;
    if p_op.amount > p_state.available then
      p_state.tag := 'insufficient'; p_state.amount := p_state.available;
      return p_state;
    end if;
    while v_missing > 0 loop
      for i in 1 .. cardinality(p_state.lot_ids) loop
        v_share := least(p_state.lot_free[i], v_missing);
        continue when v_share = 0;
        v_missing := v_missing - v_share;
        v_ids := v_ids || p_state.lot_ids[i];
        v_amounts := v_amounts || v_share;
        p_state.lot_free[i] := p_state.lot_free[i] - v_share;
        exit when v_missing = 0;
      end loop;
      exit when v_missing = 0;
      perform lading.store_state(p_state);
      p_state := lading.load_state(p_state.account, p_state.now);
      if cardinality(p_state.lot_ids) = 0 then raise exception 'the grants do not cover what is available'; end if;
    end loop;
    p_state.tag := 'held';
    p_state.hold := 'hold_' || gen_random_uuid();
    p_state.available := p_state.available - p_op.amount;
    p_state.held := p_state.held + p_op.amount;
    p_state.due_at := least(p_state.due_at, p_state.now + p_op.ttl);
    insert into lading.holds (id, account, request_key, takes_key, api_key, operation, amount, remaining,
        grant_ids, grant_amounts, opened_at, expires_at)
      values (p_state.hold, p_state.account, p_op.key, p_op.fingerprint is not null, p_op.api_key, p_op.operation,
        p_op.amount, p_op.amount, v_ids, v_amounts, p_state.now, p_state.now + p_op.ttl);
    if p_op.fingerprint is not null then
      insert into lading.request_keys (account, key, fingerprint, hold, keep)
        values (p_state.account, p_op.key, p_op.fingerprint, p_state.hold, p_op.keep)
        on conflict (account, key) do update
          set fingerprint = excluded.fingerprint, hold = excluded.hold, keep = excluded.keep,
              outcome = null, settled_at = null, subjects = '{}', erased_at = null;
    end if;
    if p_op.amount > 0 then
      perform lading.move(p_state.account, 'hold', p_state.now, p_state.hold, 'available', 'held', p_op.amount);
    end if;
    return p_state;
  end $$`,

  // What was captured, what is noted of the vendor's units, and what is released.
  `create function lading.post_settlement(p_state lading.batch_state, p_op lading.operation, p_released bigint)
  returns void language plpgsql as $$
  begin
    insert into lading.postings (account, group_id, line, kind, at, hold, price_version, book, unit, amount)
      select p_state.account, g.id, l.line - 1, g.kind, p_state.now, p_op.hold, g.price_version,
             l.posting ->> 'book', l.posting ->> 'unit', (l.posting ->> 'amount')::bigint
        from (values
          (nextval('lading.posting_groups'), 'capture', p_op.price_version, p_op.paid),
          (nextval('lading.posting_groups'), 'memo', p_op.price_version, p_op.memos),
          (nextval('lading.posting_groups'), 'release', null, case when p_released = 0 then '[]' else jsonb_build_array(
            jsonb_build_object('book', 'held', 'unit', 'credit', 'amount', -p_released),
            jsonb_build_object('book', 'available', 'unit', 'credit', 'amount', p_released)) end)
        ) as g (id, kind, price_version, postings),
        jsonb_array_elements(g.postings) with ordinality as l (posting, line);
  end $$`,

  // Stores the outcome under the hold's key; null frees the key.
  `create function lading.store_outcome(p_hold lading.holds, p_op lading.operation, p_now bigint)
  returns void language plpgsql as $$
  declare
    v_erased boolean := false;
  begin
    if p_op.outcome is null then
      delete from lading.request_keys
        where account = p_hold.account and key = p_hold.request_key and hold = p_hold.id;
      return;
    end if;
    if p_op.subjects <> '{}' then
      v_erased := exists (select from lading.suppressions where digest = any (p_op.subjects));
    end if;
    update lading.request_keys
      set settled_at = p_now,
          outcome = case when not v_erased then p_op.outcome end,
          subjects = case when v_erased then '{}' else p_op.subjects end,
          erased_at = case when v_erased then p_now end
      where account = p_hold.account and key = p_hold.request_key and hold = p_hold.id;
  end $$`,

  `create function lading.batch_settle(p_state lading.batch_state, p_op lading.operation)
  returns lading.batch_state language plpgsql as $$
  declare
    v_hold lading.holds;
    v_parts record;
    v_lot int;
  begin
    -- By its id alone: planned while the table is empty, a search by account as well reads all of the account's holds.
    select * into v_hold from lading.holds where id = p_op.hold;
    if v_hold.account <> p_state.account then v_hold := null; end if;
    if v_hold.ending = 'settled' and v_hold.settlement = p_op.settlement then
      p_state.tag := 'settled';
      return p_state;
    end if;
    if v_hold.id is null or v_hold.ended_at is not null then
      p_state.tag := 'ended';
      return p_state;
    end if;
    if p_op.total > v_hold.remaining then
      p_state.tag := 'exceeded'; p_state.amount := v_hold.remaining;
      return p_state;
    end if;
    v_parts := lading.take(v_hold.grant_ids, v_hold.grant_amounts, p_op.total);
    v_hold.remaining := v_hold.remaining - p_op.total;
    v_hold.grant_ids := v_parts.left_ids;
    v_hold.grant_amounts := v_parts.left_amounts;
    v_hold.captured := p_op.total;
    v_hold.settlement := p_op.settlement;
    p_state.held := p_state.held - p_op.total;
    p_state.captured := p_state.captured + p_op.total;
    if v_hold.parent is null and v_hold.grant_ids <@ p_state.lot_ids then
      update lading.holds
        set remaining = 0, grant_ids = '{}', grant_amounts = '{}', captured = v_hold.captured,
            settlement = v_hold.settlement, ended_at = p_state.now, ending = 'settled'
        where id = v_hold.id;
      for i in 1 .. cardinality(v_hold.grant_ids) loop
        v_lot := array_position(p_state.lot_ids, v_hold.grant_ids[i]);
        p_state.lot_free[v_lot] := p_state.lot_free[v_lot] + v_hold.grant_amounts[i];
      end loop;
      p_state.held := p_state.held - v_hold.remaining;
      p_state.available := p_state.available + v_hold.remaining;
      perform lading.post_settlement(p_state, p_op, v_hold.remaining);
    else
      -- A child gives back to its parent; a grant that is not at hand may have expired.
      perform lading.post_settlement(p_state, p_op, 0);
      perform lading.store_state(p_state);
      perform lading.end_hold(v_hold, 'settled', p_state.now);
      p_state := lading.load_state(p_state.account, p_state.now);
    end if;
    if v_hold.request_key is not null and v_hold.takes_key then perform lading.store_outcome(v_hold, p_op, p_state.now); end if;
    p_state.tag := 'settled';
    return p_state;
  end $$`,

  // Does the operations in order; p_ops is a JSON array of lading.operation. One row for each, n counts from 1.
  `create function lading.ledger_batch(p_account text, p_ops jsonb, p_now bigint)
  returns table (n bigint, tag text, hold text, outcome text, amount bigint) language plpgsql as $$
  declare
    v_op lading.operation;
    v_state lading.batch_state;
  begin
    perform lading.lock_account(p_account, p_now);
    lock table lading.request_keys in row exclusive mode;
    v_state := lading.load_state(p_account, p_now);
    n := 0;
    for v_op in select * from jsonb_populate_recordset(null::lading.operation, p_ops) loop
      if v_state.due_at <= p_now then
        perform lading.store_state(v_state);
        v_state := lading.load_state(p_account, p_now);
      end if;
      v_state.tag := null; v_state.hold := null; v_state.outcome := null; v_state.amount := null;
      if v_op.op = 'open' then v_state := lading.batch_open(v_state, v_op);
      else v_state := lading.batch_settle(v_state, v_op);
      end if;
      n := n + 1; tag := v_state.tag; hold := v_state.hold; outcome := v_state.outcome; amount := v_state.amount;
      return next;
    end loop;
    perform lading.store_state(v_state);
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
      -- From each what those in front of it leave to be taken.
      update lading.grants g set free = g.free - least(g.free, l.missing)
        from (
          select id, free - sum(free) over (order by expires_at nulls last, id) - p_amount as missing
            from lading.grants where account = p_account and free > 0
        ) l where g.id = l.id and l.missing > 0;
    end if;
    perform lading.move(p_account, 'adjust', p_now, null, 'granted', 'available', p_amount);
  end $$`,

  // Settlements under way have ended when the lock is there, and are seen; later ones see the suppressed subjects.
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
