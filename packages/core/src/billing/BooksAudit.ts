/**
 * The audit of an account in memory: the rules of `docs/invariants.md`, as far as they say something about these books. A
 * rule that the books cannot break by how they are made (a hold has what its parts come to) is not looked at.
 */
import { type Account, type Hold, lastsUntil, sum } from "./Books.ts"
import type { Audit, Balance, Breach, HoldId, PostingGroup } from "./Hold.ts"

type Found = Omit<Breach, "account">

/** A breach where `found` is not `expected`. */
const same = (
  invariant: string,
  subject: string,
  what: string,
  found: number,
  expected: number
): ReadonlyArray<Found> =>
  found === expected ? [] : [{ invariant, subject, detail: `${what} is ${found}, expected ${expected}` }]

/** The sum of the lines in a unit, of one book or of all that `isOf` says. */
const total = (groups: ReadonlyArray<PostingGroup>, isOf: (book: string) => boolean): number =>
  groups
    .flatMap(({ postings }) => postings)
    .reduce((amount, line) => (line.unit === "credit" && isOf(line.book) ? amount + line.amount : amount), 0)

const isPayee = (book: string): boolean => book === "platform" || book.startsWith("source:")

const sums = (id: string, account: Account): ReadonlyArray<Found> => {
  const { captured, expired, granted, held } = account
  const stored = { granted, expired, captured, held, available: granted - expired - captured - held }
  const journal: Record<keyof Balance, number> = {
    granted: 0 - total(account.journal, (book) => book === "granted"),
    expired: total(account.journal, (book) => book === "expired"),
    captured: total(account.journal, isPayee),
    held: total(account.journal, (book) => book === "held"),
    available: total(account.journal, (book) => book === "available")
  }
  const free = account.lots.reduce((amount, lot) => amount + lot.free, 0)
  const remaining = Array.from(account.holds).reduce((amount, { parts }) => amount + sum(parts), 0)
  return [
    ...(stored.available < 0
      ? [{ invariant: "available_not_negative", subject: id, detail: `available is ${stored.available}` }]
      : []),
    ...same("balance_matches_journal", id, "granted", stored.granted, journal.granted),
    ...same("balance_matches_journal", id, "expired", stored.expired, journal.expired),
    ...same("balance_matches_journal", id, "captured", stored.captured, journal.captured),
    ...same("balance_matches_journal", id, "held", stored.held, journal.held),
    ...same("balance_matches_journal", id, "available", stored.available, journal.available),
    ...same("holds_match_held", id, "the sum of open holds", remaining, stored.held),
    ...same("grants_match_available", id, "what grants have free", free, stored.available)
  ]
}

/** What refunds are noted as, what they posted, and what is noted with the charges that they gave back. */
const refunds = (id: string, { charges, journal, refunds }: Account): ReadonlyArray<Found> => {
  const noted = Array.from(refunds.values()).reduce((added, { amount }) => added + amount, 0)
  const posted =
    0 -
    total(
      journal.filter(({ kind }) => kind === "refund"),
      isPayee
    )
  const given = Array.from(charges.values())
    .flat()
    .reduce((added, { refunded }) => added + refunded, 0)
  return [
    ...same("refunds_match_journal", id, "the sum of refunds", noted, posted),
    ...same("refunds_match_journal", id, "what was given back of charges", given, posted)
  ]
}

const groups = ({ journal }: Account): ReadonlyArray<Found> =>
  journal.flatMap(({ id, kind, postings, price_version }) => {
    const units = new Set(postings.map(({ unit }) => unit))
    const wrong = Array.from(units).flatMap((unit) => {
      const amount = postings.reduce((added, line) => (line.unit === unit ? added + line.amount : added), 0)
      return same("groups_sum_to_zero", id, `the sum of ${unit}`, amount, 0)
    })
    const named = Number(kind === "capture" || kind === "memo")
    return [...wrong, ...same("capture_names_prices", id, "named prices", Number(price_version !== null), named)]
  })

/** What the journal has of each hold. */
const holdGroups = ({ journal }: Account): ReadonlyMap<HoldId, ReadonlyArray<PostingGroup>> => {
  const found = new Map<HoldId, Array<PostingGroup>>()
  for (const group of journal) {
    if (group.hold === null) continue
    const known = found.get(group.hold)
    if (known === undefined) found.set(group.hold, [group])
    else known.push(group)
  }
  return found
}

const holds = (account: Account, now: number): ReadonlyArray<Found> => {
  const open = new Set(Array.from(account.holds, ({ id }) => id))
  const ends = Array.from(holdGroups(account)).flatMap(([id, posted]) => {
    const of = (kind: PostingGroup["kind"]) => posted.filter((group) => group.kind === kind)
    const held = total(of("hold"), (book) => book === "held")
    const captured = total(of("capture"), isPayee)
    const refunded = 0 - total(of("refund"), isPayee)
    const endings = posted.filter(({ kind }) => kind !== "hold" && kind !== "refund")
    return [
      ...(of("capture").length > 1 || of("release").length > 1
        ? [{ invariant: "capture_matches_journal", subject: id, detail: "more than one capture or release" }]
        : []),
      ...(of("hold").length > 0 && captured > held
        ? [{ invariant: "captured_within_hold", subject: id, detail: `captured is ${captured} of ${held}` }]
        : []),
      ...(refunded > captured
        ? [{ invariant: "refunded_within_capture", subject: id, detail: `refunded is ${refunded} of ${captured}` }]
        : []),
      ...(endings.length > 0 && (open.has(id) || new Set(endings.map(({ at }) => at)).size > 1)
        ? [{ invariant: "hold_ends_once", subject: id, detail: "open, or posted to after its end" }]
        : [])
    ]
  })
  const late = Array.from(account.holds).flatMap(({ expires_at, id }) =>
    expires_at <= now
      ? [{ invariant: "no_hold_outlives_its_time", subject: id, detail: `expires at ${expires_at}` }]
      : []
  )
  return [...ends, ...late]
}

const lots = ({ lots }: Account, now: number): ReadonlyArray<Found> =>
  lots.flatMap((lot) =>
    lastsUntil(lot) <= now && lot.free !== 0
      ? [
          {
            invariant: "expired_grants_hold_nothing",
            subject: "grant",
            detail: `${lot.free} free, expired at ${lot.expires_at}`
          }
        ]
      : []
  )

const keys = ({ holds, keys }: Account): ReadonlyArray<Found> => {
  const open = new Map<HoldId, Hold["key"]>(Array.from(holds, ({ id, key }) => [id, key]))
  const stray = Array.from(keys).flatMap(([key, { hold, settled }]) =>
    (settled === null) === (open.get(hold) === key)
      ? []
      : [{ invariant: "keys_follow_holds", subject: key, detail: "its hold is another's, or settled and still open" }]
  )
  const free = Array.from(holds).flatMap(({ id, key }) =>
    key !== null && keys.get(key)?.hold !== id
      ? [{ invariant: "keys_follow_holds", subject: id, detail: "open, and its key is not its own" }]
      : []
  )
  return [...stray, ...free]
}

/** Checks an account that was brought up to date. */
export const audit = (id: string, account: Account, now: number): Audit => ({
  account: id,
  groups: account.journal.length,
  holds: account.holds.size,
  breaches: [
    ...sums(id, account),
    ...refunds(id, account),
    ...groups(account),
    ...holds(account, now),
    ...lots(account, now),
    ...keys(account)
  ].map((found) => ({ ...found, account: id }))
})
