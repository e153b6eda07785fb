/**
 * The audit of an account: functions that read what is really stored and give a row for each breach. `docs/invariants.md`
 * says what each invariant means.
 *
 * All are `stable`, so they see the one snapshot of the statement that calls `audit_account`: operations under way do not
 * disturb it, and it disturbs none. They are PL/pgSQL so that a session plans each of them once.
 *
 * Gotcha: what is over by p_now is a breach only where the account's `due_at` says that nothing is over; else its next
 * operation ends it.
 */
const breaches = `returns table (invariant text, subject text, detail text) language plpgsql stable`

export const statements: ReadonlyArray<string> = [
  // Balance, journal, grants and holds come to the same.
  `create function lading.audit_sums(p_account text) ${breaches} as $$
  begin
    return query
    with
      stored as (
        select coalesce(granted, 0) as granted, coalesce(expired, 0) as expired, coalesce(captured, 0) as captured,
               coalesce(held, 0) as held, coalesce(granted - expired - captured - held, 0) as available
          from (select p_account as account) a left join lading.balances b using (account)
      ),
      journal as (
        select coalesce(-sum(amount) filter (where book = 'granted'), 0) as granted,
               coalesce(sum(amount) filter (where book = 'expired'), 0) as expired,
               coalesce(sum(amount) filter (where book = 'platform' or starts_with(book, 'source:')), 0) as captured,
               coalesce(sum(amount) filter (where book = 'held'), 0) as held,
               coalesce(sum(amount) filter (where book = 'available'), 0) as available
          from lading.postings where account = p_account and unit = 'credit'
      ),
      lots as (
        select coalesce(sum(amount), 0) as amount, coalesce(sum(free), 0) as free
          from lading.grants where account = p_account
      ),
      taken as (
        select coalesce(-sum(amount), 0) as amount from lading.adjustments where account = p_account and amount < 0
      ),
      open as (
        select coalesce(sum(remaining), 0) as remaining
          from lading.holds where account = p_account and ended_at is null
      )
    select 'balance_matches_journal', p_account, format('%s is %s, the journal has %s', f.field, f.stored, f.journal)
      from stored s, journal j, lateral (values
        ('granted', s.granted, j.granted), ('expired', s.expired, j.expired), ('captured', s.captured, j.captured),
        ('held', s.held, j.held), ('available', s.available, j.available)
      ) as f (field, stored, journal)
      where f.stored <> f.journal
    union all
    select 'available_not_negative', p_account, format('available is %s', available) from stored where available < 0
    union all
    select 'holds_match_held', p_account, format('held is %s, open holds have %s', held, remaining)
      from stored, open where held <> remaining
    union all
    select 'grants_match_available', p_account, format('available is %s, grants have %s free', available, free)
      from stored, lots where available <> free
    union all
    select 'grants_match_granted', p_account,
           format('granted is %s, grants add %s and adjustments take %s', granted, lots.amount, taken.amount)
      from stored, lots, taken where granted <> lots.amount - taken.amount;
  end $$`,

  `create function lading.audit_groups(p_account text) ${breaches} as $$
  begin
    return query
    select 'groups_sum_to_zero', group_id::text, format('%s of %s', sum(amount), unit)
      from lading.postings where account = p_account group by group_id, unit having sum(amount) <> 0
    union all
    select 'capture_names_prices', group_id::text, format('%s, prices %s', kind, coalesce(price_version, 'not named'))
      from lading.postings where account = p_account and (kind in ('capture', 'memo')) <> (price_version is not null)
      group by group_id, kind, price_version;
  end $$`,

  // A hold and what the journal has of it.
  `create function lading.audit_ends(p_account text) ${breaches} as $$
  begin
    return query
    with
      mine as (select * from lading.holds where account = p_account),
      posted as (
        select hold,
               coalesce(sum(amount) filter (where kind = 'hold' and book = 'held'), 0) as held,
               coalesce(sum(amount) filter (where kind = 'capture' and book <> 'held'), 0) as captured,
               count(distinct group_id) filter (where kind = 'capture') as captures,
               count(distinct group_id) filter (where kind = 'release') as releases,
               count(*) filter (where kind in ('capture', 'memo', 'release')) as endings,
               -- A hold is posted at its beginning, which a clock that was set back puts behind its end.
               max(at) filter (where kind <> 'hold') as latest
          from lading.postings where account = p_account and hold is not null group by hold
      )
    select 'capture_matches_journal', coalesce(id, hold),
           format('captured %s, the journal has %s in %s captures; %s releases',
             coalesce(mine.captured::text, 'by no hold'), coalesce(posted.captured, 0), coalesce(captures, 0),
             coalesce(releases, 0))
      from mine full join posted on id = hold
      where id is null or mine.captured <> coalesce(posted.captured, 0) or captures > 1 or releases > 1
    union all
    select 'hold_matches_journal', id, format('held %s, the journal has %s', amount, coalesce(held, 0))
      from mine left join posted on id = hold
      where coalesce(held, 0) <> case when parent is null then amount else 0 end
    union all
    select 'hold_ends_once', id, case
        when ended_at is null then 'open, and the journal has its end'
        when remaining <> 0 then format('ended, and %s remain', remaining)
        when mine.captured <> 0 and ending = 'expired' then format('expired, and captured %s', mine.captured)
        else format('ended at %s, and something was posted at %s', ended_at, latest)
      end
      from mine left join posted on id = hold
      where case
        when ended_at is null then endings > 0
        else remaining <> 0 or (mine.captured <> 0 and ending = 'expired') or latest > ended_at
      end;
  end $$`,

  // A hold, its children, and the grants that its credits came from.
  `create function lading.audit_holds(p_account text, p_now bigint) ${breaches} as $$
  begin
    return query
    with recursive
      mine as (select * from lading.holds where account = p_account),
      tree (root, most, id, kept) as (
        select id, amount, id, captured + remaining from mine where parent is null
        union all
        select root, most, mine.id, mine.captured + mine.remaining from tree join mine on mine.parent = tree.id
      ),
      parts as (
        select mine.id as hold, p.id, p.amount from mine, unnest(grant_ids, grant_amounts) as p (id, amount)
      )
    select 'captured_within_hold', root, format('%s captured or left of %s', sum(kept), most)
      from tree group by root, most having sum(kept) > most
    union all
    select 'hold_parts_match_remaining', mine.id, format('%s remain, of grants %s', remaining, coalesce(p.amount, 0))
      from mine left join (
        select hold, sum(parts.amount) as amount, bool_or(g.id is null) as unknown
          from parts left join lading.grants g on g.id = parts.id and g.account = p_account group by hold
      ) p on p.hold = mine.id
      where remaining <> coalesce(p.amount, 0) or unknown
    union all
    select 'grants_not_overdrawn', g.id::text, format('%s free and %s held of %s', free, held, amount)
      from lading.grants g join (
        select id, sum(amount) as held from parts group by id
      ) p on p.id = g.id
      where account = p_account and free + held > amount
    union all
    select 'no_hold_outlives_its_time', id, format('expires at %s, and is open at %s', expires_at, p_now)
      from mine join lading.balances b using (account)
      where ended_at is null and expires_at <= p_now and due_at > p_now
    union all
    select 'expired_grants_hold_nothing', g.id::text, format('expired at %s, and %s are free at %s', expires_at, free, p_now)
      from lading.grants g join lading.balances b using (account)
      where account = p_account and free > 0 and expires_at <= p_now and due_at > p_now;
  end $$`,

  // Two keys of one hold are a breach too: a hold names one key.
  `create function lading.audit_keys(p_account text) ${breaches} as $$
  begin
    return query
    with judged as (
      select k.key, case
          when h.id is null then 'its hold is none of the account'
          when h.request_key is distinct from k.key or not h.takes_key then 'its hold has another key'
          when settled_at is null and ended_at is not null then 'not settled, and its hold has ended'
          when settled_at is not null and ending is distinct from 'settled' then 'settled, and its hold is not'
          when settled_at is not null and (outcome is null) <> (erased_at is not null)
            then 'an outcome is either stored or erased'
          when settled_at is null and (outcome is not null or erased_at is not null)
            then 'an outcome before its settlement'
        end as problem
        from lading.request_keys k left join lading.holds h on h.id = k.hold and h.account = k.account
        where k.account = p_account
    )
    select 'keys_follow_holds', key, problem from judged where problem is not null
    union all
    select 'keys_follow_holds', h.id, 'open, and its key is not its own'
      from lading.holds h left join lading.request_keys k on k.account = h.account and k.key = h.request_key
      where h.account = p_account and h.ended_at is null and h.request_key is not null and h.takes_key
        and k.hold is distinct from h.id;
  end $$`,

  `create function lading.audit_account(
    p_account text, p_now bigint, out groups bigint, out holds bigint, out breaches jsonb
  ) language sql stable as $$
    select (select count(distinct group_id) from lading.postings where account = p_account),
           (select count(*) from lading.holds where account = p_account),
           (select coalesce(jsonb_agg(to_jsonb(b)), '[]') from (
              select * from lading.audit_sums(p_account)
              union all select * from lading.audit_groups(p_account)
              union all select * from lading.audit_ends(p_account)
              union all select * from lading.audit_holds(p_account, p_now)
              union all select * from lading.audit_keys(p_account)
            ) b)
  $$`
]
