/**
 * The port of people that this installation knows: those that enrichments answered with, by the domain of their company.
 * They are personal data: a store that outlives the process seals them, keeps them for a time only, and gives up whoever
 * objects. What was bought with an account's own key is that account's alone.
 */
import { Context, Clock, Effect, Layer, Schema } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as DomainName from "../value/DomainName.ts"
import * as Mentions from "../value/Mentions.ts"
import * as Text from "../value/Text.ts"
import { EmailStatus, EmailType, PhoneType } from "./PersonFacts.ts"

export class KnownPeopleUnavailable extends Schema.TaggedError<KnownPeopleUnavailable>()("KnownPeopleUnavailable", {
  problem: Schema.String
}) {}

const Nullable = Schema.NullOr(Schema.String)

export const KnownPerson = Schema.Struct({
  first_name: Schema.String,
  last_name: Schema.String,
  current_title: Nullable,
  company_name: Nullable,
  /** Lower case, without scheme, `www.` and path. */
  company_domain: Schema.String,
  city: Nullable,
  /** ISO 3166-1 alpha-2. */
  country: Nullable,
  linkedin_url: Nullable,
  emails: Schema.Array(Schema.Struct({ email: Schema.String, type: EmailType, status: EmailStatus })),
  phones: Schema.Array(Schema.Struct({ number: Schema.String, type: PhoneType }))
})
export type KnownPerson = typeof KnownPerson.Type

export interface Keeping {
  /** Whose alone it is; `null` for everybody's. */
  readonly account: string | null
  /** Epoch milliseconds. */
  readonly kept_until: number
}

/** So many of a domain are kept for everybody, and so many for each account; the newest. */
export const MOST = 500

export class KnownPeople extends Context.Service<
  KnownPeople,
  {
    /** Takes the place of what was known of the same name there. Nobody is kept who has objected. */
    readonly put: (person: KnownPerson, keeping: Keeping) => Effect.Effect<void, KnownPeopleUnavailable>
    /** Who is known at a domain, as an account sees it: its own in place of everybody's. In no order. */
    readonly at: (domain: string, account: string) => Effect.Effect<ReadonlyArray<KnownPerson>, KnownPeopleUnavailable>
    /** Forgets who is mentioned by one of these handles; gives their number. */
    readonly erase: (handles: ReadonlyArray<string>) => Effect.Effect<number, KnownPeopleUnavailable>
    /** Forgets whose time is over; gives their number. */
    readonly sweep: Effect.Effect<number, KnownPeopleUnavailable>
  }
>()("@lading/core/person/KnownPeople") {}

/** Under which somebody is known at a company. */
export const nameOf = ({ first_name, last_name }: Pick<KnownPerson, "first_name" | "last_name">): string =>
  Text.bare(`${first_name} ${last_name}`)

/** The domain that people are found under: the part that somebody registered. */
export const ownerOf = (domain: string): string => DomainName.registrable(domain)

/** As an account sees them, from its own and everybody's. */
export const seen = (
  own: ReadonlyArray<KnownPerson>,
  shared: ReadonlyArray<KnownPerson>
): ReadonlyArray<KnownPerson> => {
  const names = new Set(own.map(nameOf))
  return [...own, ...shared.filter((person) => !names.has(nameOf(person)))]
}

interface Entry extends Keeping {
  readonly person: KnownPerson
  readonly subjects: ReadonlyArray<string>
}

/** People in memory, lost with the process. */
export const layerMemory: Layer.Layer<KnownPeople, never, Suppression.Suppression> = Layer.effect(
  KnownPeople,
  Effect.map(Suppression.Suppression, (suppression) => {
    /** By account and domain, then by name; the newest last. */
    const groups = new Map<string, Map<string, Entry>>()
    const placeOf = (account: string | null, domain: string): string => `${account ?? ""} ${ownerOf(domain)}`
    const forget = (which: (entry: Entry) => boolean): number => {
      let gone = 0
      for (const group of groups.values()) {
        for (const [name, entry] of group) if (which(entry) && group.delete(name)) gone++
      }
      return gone
    }
    return {
      put: (person, keeping) => {
        const subjects = Mentions.of(person)
        return suppression
          .find(() => subjects)
          .pipe(
            Effect.map((objected) => {
              if (objected.size > 0) return
              const place = placeOf(keeping.account, person.company_domain)
              const group = groups.get(place) ?? new Map<string, Entry>()
              groups.set(place, group)
              group.delete(nameOf(person))
              group.set(nameOf(person), { ...keeping, person, subjects })
              for (const name of group.keys()) if (group.size > MOST) group.delete(name)
            }),
            Effect.mapError(({ problem }) => new KnownPeopleUnavailable({ problem }))
          )
      },
      at: (domain, account) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const peopleAt = (owner: string | null) =>
            [...(groups.get(placeOf(owner, domain))?.values() ?? [])].flatMap(({ kept_until, person }) =>
              kept_until > now ? [person] : []
            )
          return seen(peopleAt(account), peopleAt(null))
        }),
      erase: (handles) => Effect.sync(() => forget(({ subjects }) => subjects.some((one) => handles.includes(one)))),
      sweep: Effect.map(Clock.currentTimeMillis, (now) => forget(({ kept_until }) => kept_until <= now))
    }
  })
)
