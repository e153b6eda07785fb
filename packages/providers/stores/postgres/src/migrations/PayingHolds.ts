/**
 * The ledger's fourth step: a request may be paid by another hold in the balance's place (a task's ceiling). Its own hold
 * is a child with a key: replayed like every request, and what it does not capture goes back to its parent.
 */
export const statements: ReadonlyArray<string> = [
  `alter type lading.operation add attribute parent text`,

  // As before, and takes from p_op.parent where there is one.
  `create or replace function lading.batch_open(p_state lading.batch_state, p_op lading.operation)
  returns lading.batch_state language plpgsql as $$
  declare
    v_key lading.request_keys;
    v_missing bigint := p_op.amount;
    v_share bigint;
    v_ids bigint[] := '{}';
    v_amounts bigint[] := '{}';
    v_parent lading.holds;
    v_parts record;
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
    if p_op.parent is not null then
      select * into v_parent from lading.holds where id = p_op.parent;
      if v_parent.id is null or v_parent.account <> p_state.account or v_parent.ended_at is not null then
        p_state.tag := 'ended';
        return p_state;
      end if;
      if p_op.amount > v_parent.remaining then
        p_state.tag := 'exceeded'; p_state.amount := v_parent.remaining;
        return p_state;
      end if;
      v_parts := lading.take(v_parent.grant_ids, v_parent.grant_amounts, p_op.amount);
      v_ids := v_parts.taken_ids;
      v_amounts := v_parts.taken_amounts;
      update lading.holds h
        set remaining = h.remaining - p_op.amount, grant_ids = v_parts.left_ids, grant_amounts = v_parts.left_amounts
        where h.id = p_op.parent;
    else
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
      p_state.available := p_state.available - p_op.amount;
      p_state.held := p_state.held + p_op.amount;
    end if;
    p_state.tag := 'held';
    p_state.hold := 'hold_' || gen_random_uuid();
    p_state.due_at := least(p_state.due_at, p_state.now + p_op.ttl);
    insert into lading.holds (id, account, parent, request_key, takes_key, api_key, operation, request_id, amount, remaining,
        grant_ids, grant_amounts, opened_at, expires_at)
      values (p_state.hold, p_state.account, p_op.parent, p_op.key, p_op.fingerprint is not null, p_op.api_key, p_op.operation,
        p_op.request_id, p_op.amount, p_op.amount, v_ids, v_amounts, p_state.now, p_state.now + p_op.ttl);
    if p_op.fingerprint is not null then
      insert into lading.request_keys (account, key, fingerprint, hold, keep)
        values (p_state.account, p_op.key, p_op.fingerprint, p_state.hold, p_op.keep)
        on conflict (account, key) do update
          set fingerprint = excluded.fingerprint, hold = excluded.hold, keep = excluded.keep,
              outcome = null, settled_at = null, subjects = '{}', erased_at = null;
    end if;
    -- What moves from one hold to another stays held: it is posted when it ends.
    if p_op.amount > 0 and p_op.parent is null then
      perform lading.move(p_state.account, 'hold', p_state.now, p_state.hold, 'available', 'held', p_op.amount);
    end if;
    return p_state;
  end $$`
]
