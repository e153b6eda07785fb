/**
 * The audit with refunds: what they are noted as, what they posted, and what their holds say come to the same. The other
 * functions are in `LedgerAudit.ts`.
 */
const breaches = `returns table (invariant text, subject text, detail text) language plpgsql stable`

export const statements: ReadonlyArray<string> = [
  // As before, and what was refunded is a grant that was not granted.
  `create or replace function lading.audit_sums(p_account text) ${breaches} as $$
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
      returned as (
        select coalesce(sum(amount), 0) as amount from lading.refunds where account = p_account
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
           format('granted is %s, grants add %s, of that refunds %s, and adjustments take %s', granted, lots.amount,
             returned.amount, taken.amount)
      from stored, lots, taken, returned where granted <> lots.amount - returned.amount - taken.amount;
  end $$`,

  // As before; a refund comes after the end.
  `create or replace function lading.audit_ends(p_account text) ${breaches} as $$
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
               max(at) filter (where kind not in ('hold', 'refund')) as latest
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

  `create function lading.audit_refunds(p_account text) ${breaches} as $$
  begin
    return query
    with
      noted as (
        select request_id, sum(amount) as amount from lading.refunds where account = p_account group by request_id
      ),
      given as (
        select request_id, sum(refunded) as amount from lading.holds
          where account = p_account and refunded <> 0 group by request_id
      ),
      posted as (
        select hold, -sum(amount) as amount from lading.postings
          where account = p_account and kind = 'refund' and book <> 'available' group by hold
      )
    select 'refunds_match_journal', coalesce(noted.request_id, given.request_id, p_account),
           format('refunds give %s, the holds of the request %s', coalesce(noted.amount, 0), coalesce(given.amount, 0))
      from noted full join given using (request_id)
      where coalesce(noted.amount, 0) <> coalesce(given.amount, 0)
    union all
    select 'refunds_match_journal', coalesce(h.id, posted.hold, p_account),
           format('refunded %s, the journal has %s', coalesce(h.refunded, 0), coalesce(posted.amount, 0))
      from (select id, refunded from lading.holds where account = p_account and refunded <> 0) h
        full join posted on posted.hold = h.id
      where coalesce(h.refunded, 0) <> coalesce(posted.amount, 0)
    union all
    select 'refunded_within_capture', id, format('refunded %s of %s', refunded, captured)
      from lading.holds where account = p_account and refunded > captured;
  end $$`,

  `create or replace function lading.audit_account(
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
              union all select * from lading.audit_refunds(p_account)
            ) b)
  $$`
]
