/**
 * The ledger's third step: refunds. A hold knows the request that its caller knows, and how much of what it captured was
 * given back; `refund_request` gives it back, and the audit checks that.
 *
 * Gotcha: what was charged before this step knows no request, and cannot be refunded by one.
 */
import * as RefundAudit from "./RefundAudit.ts"

const tables: ReadonlyArray<string> = [
  `alter table lading.holds
    add column request_id text,
    -- The group of the journal in which the hold paid.
    add column capture_group bigint,
    add column refunded bigint not null default 0,
    add constraint holds_refunded check (refunded between 0 and captured) not valid`,
  // Only what was charged is ever looked for: a hold is written into it once, when it is settled.
  `create index holds_charged on lading.holds (account, request_id) where captured > 0`,

  `create table lading.refunds (
    account text not null,
    key text not null,
    request_id text not null,
    amount bigint not null check (amount >= 0),
    reason text not null,
    refunded_at bigint not null,
    primary key (account, key)
  )`,

  `alter table lading.postings
    drop constraint postings_kind_check,
    add constraint postings_kind_check
      check (kind in ('grant', 'adjust', 'hold', 'capture', 'release', 'refund', 'expire', 'memo')) not valid`,

  `alter type lading.operation add attribute request_id text`
]

/** As before, and a hold knows its request; a child has that of its parent. */
const opening: ReadonlyArray<string> = [
  `create or replace function lading.batch_open(p_state lading.batch_state, p_op lading.operation)
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
    insert into lading.holds (id, account, request_key, takes_key, api_key, operation, request_id, amount, remaining,
        grant_ids, grant_amounts, opened_at, expires_at)
      values (p_state.hold, p_state.account, p_op.key, p_op.fingerprint is not null, p_op.api_key, p_op.operation,
        p_op.request_id, p_op.amount, p_op.amount, v_ids, v_amounts, p_state.now, p_state.now + p_op.ttl);
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

  `create or replace function lading.split_hold(
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
    insert into lading.holds (id, account, parent, api_key, operation, request_id, amount, remaining,
        grant_ids, grant_amounts, opened_at, expires_at)
      values (hold, v_parent.account, p_parent, v_parent.api_key, v_parent.operation, v_parent.request_id, p_amount,
        p_amount, v_parts.taken_ids, v_parts.taken_amounts, p_now, p_now + p_ttl);
    update lading.balances set due_at = least(due_at, p_now + p_ttl) where account = v_parent.account;
  end $$`
]

/** As before, and a hold knows where in the journal it paid. */
const settling: ReadonlyArray<string> = [
  `drop function lading.post_settlement`,
  `create function lading.post_settlement(p_state lading.batch_state, p_op lading.operation, p_group bigint, p_released bigint)
  returns void language plpgsql as $$
  begin
    insert into lading.postings (account, group_id, line, kind, at, hold, price_version, book, unit, amount)
      select p_state.account, g.id, l.line - 1, g.kind, p_state.now, p_op.hold, g.price_version,
             l.posting ->> 'book', l.posting ->> 'unit', (l.posting ->> 'amount')::bigint
        from (values
          (p_group, 'capture', p_op.price_version, p_op.paid),
          (nextval('lading.posting_groups'), 'memo', p_op.price_version, p_op.memos),
          (nextval('lading.posting_groups'), 'release', null, case when p_released = 0 then '[]' else jsonb_build_array(
            jsonb_build_object('book', 'held', 'unit', 'credit', 'amount', -p_released),
            jsonb_build_object('book', 'available', 'unit', 'credit', 'amount', p_released)) end)
        ) as g (id, kind, price_version, postings),
        jsonb_array_elements(g.postings) with ordinality as l (posting, line);
  end $$`,

  `create or replace function lading.end_hold(p_hold lading.holds, p_ending text, p_now bigint)
  returns void language plpgsql as $$
  declare
    v_parent lading.holds;
    v_ids bigint[];
    v_amounts bigint[];
  begin
    update lading.holds
      set remaining = 0, grant_ids = '{}', grant_amounts = '{}', captured = p_hold.captured,
          capture_group = p_hold.capture_group, settlement = p_hold.settlement, ended_at = p_now, ending = p_ending
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

  `create or replace function lading.batch_settle(p_state lading.batch_state, p_op lading.operation)
  returns lading.batch_state language plpgsql as $$
  declare
    v_hold lading.holds;
    v_parts record;
    v_lot int;
    v_group bigint;
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
    if p_op.total > 0 then v_group := nextval('lading.posting_groups'); end if;
    v_hold.capture_group := v_group;
    p_state.held := p_state.held - p_op.total;
    p_state.captured := p_state.captured + p_op.total;
    if v_hold.parent is null and v_hold.grant_ids <@ p_state.lot_ids then
      update lading.holds
        set remaining = 0, grant_ids = '{}', grant_amounts = '{}', captured = v_hold.captured,
            capture_group = v_group, settlement = v_hold.settlement, ended_at = p_state.now, ending = 'settled'
        where id = v_hold.id;
      for i in 1 .. cardinality(v_hold.grant_ids) loop
        v_lot := array_position(p_state.lot_ids, v_hold.grant_ids[i]);
        p_state.lot_free[v_lot] := p_state.lot_free[v_lot] + v_hold.grant_amounts[i];
      end loop;
      p_state.held := p_state.held - v_hold.remaining;
      p_state.available := p_state.available + v_hold.remaining;
      perform lading.post_settlement(p_state, p_op, v_group, v_hold.remaining);
    else
      -- A child gives back to its parent; a grant that is not at hand may have expired.
      perform lading.post_settlement(p_state, p_op, v_group, 0);
      perform lading.store_state(p_state);
      perform lading.end_hold(v_hold, 'settled', p_state.now);
      p_state := lading.load_state(p_state.account, p_state.now);
    end if;
    if v_hold.request_key is not null and v_hold.takes_key then perform lading.store_outcome(v_hold, p_op, p_state.now); end if;
    p_state.tag := 'settled';
    return p_state;
  end $$`
]

const refunds: ReadonlyArray<string> = [
  // Gives back p_amount of what the hold captured, what was paid last first. Expects the account's row to be locked.
  `create function lading.refund_hold(p_hold lading.holds, p_amount bigint, p_now bigint)
  returns void language plpgsql as $$
  declare
    v_group bigint := nextval('lading.posting_groups');
  begin
    insert into lading.postings (account, group_id, line, kind, at, hold, book, unit, amount)
      values (p_hold.account, v_group, 0, 'refund', p_now, p_hold.id, 'available', 'credit', p_amount);
    insert into lading.postings (account, group_id, line, kind, at, hold, book, unit, amount)
      select p_hold.account, v_group, row_number() over (order by upto), 'refund', p_now, p_hold.id, book, 'credit', -share
        from (
          select book, upto,
                 least(upto, p_hold.refunded + p_amount) - greatest(upto - amount, p_hold.refunded) as share
            from (
              select book, amount, sum(amount) over (order by line desc)::bigint as upto
                from lading.postings
                where account = p_hold.account and group_id = p_hold.capture_group and book <> 'held'
            ) paid
        ) shares where share > 0;
    update lading.holds set refunded = refunded + p_amount where id = p_hold.id;
  end $$`,

  // p_amount is null for all that is left. amount is what this refund gave back, also when it is repeated.
  `create function lading.refund_request(
    p_account text, p_key text, p_request text, p_amount bigint, p_reason text, p_now bigint,
    out tag text, out request_id text, out amount bigint, out charged bigint, out refunded bigint
  ) language plpgsql as $$
  declare
    v_hold lading.holds;
    v_left bigint;
    v_share bigint;
  begin
    perform lading.lock_account(p_account, p_now);
    select r.request_id, r.amount into request_id, amount from lading.refunds r
      where r.account = p_account and r.key = p_key;
    request_id := coalesce(request_id, p_request);
    select coalesce(sum(h.captured), 0), coalesce(sum(h.refunded), 0) into charged, refunded from lading.holds h
      where h.account = p_account and h.request_id = refund_request.request_id and h.captured > 0;
    tag := 'refunded';
    if amount is not null then return; end if;
    amount := coalesce(p_amount, charged - refunded);
    if charged = refunded then tag := 'nothing'; return; end if;
    if amount > charged - refunded then tag := 'exceeded'; return; end if;

    insert into lading.refunds (account, key, request_id, amount, reason, refunded_at)
      values (p_account, p_key, p_request, amount, p_reason, p_now);
    v_left := amount;
    for v_hold in
      select * from lading.holds h
        where h.account = p_account and h.request_id = p_request and h.captured > h.refunded and h.captured > 0
        order by h.ended_at desc, h.nr desc
    loop
      v_share := least(v_left, v_hold.captured - v_hold.refunded);
      exit when v_share = 0;
      perform lading.refund_hold(v_hold, v_share, p_now);
      v_left := v_left - v_share;
    end loop;
    refunded := refunded + amount;
    update lading.balances b set captured = b.captured - amount where b.account = p_account;
    insert into lading.grants (account, key, amount, free, expires_at, reason, granted_at)
      values (p_account, null, amount, amount, null, p_reason, p_now);
  end $$`
]

export const statements: ReadonlyArray<string> = [
  ...tables,
  ...opening,
  ...settling,
  ...refunds,
  ...RefundAudit.statements
]
