/** How often sources find something: weights that fade, see `HitRates` of the core. Nothing in it is about a subject. */
export const statements: ReadonlyArray<string> = [
  `create table lading.hit_rates (
    operation text not null,
    source text not null,
    -- The adapter and its version.
    adapter text not null,
    segment text not null,
    -- The weights as they were at this time.
    hits double precision not null check (hits >= 0),
    misses double precision not null check (misses >= 0),
    at bigint not null,
    primary key (operation, source, adapter, segment)
  )`
]
