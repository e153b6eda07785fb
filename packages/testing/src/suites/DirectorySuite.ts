/**
 * What every directory must do: filters that hold, pages that go through all hits once, and trouble as typed errors. With a
 * simulator it is shown over real HTTP; a directory in memory passes the same without the faults.
 *
 * Gotchas
 * - The simulator must be started with `credentials` that hold the suite's credential and no other.
 * - The key of the credential must be a marker that occurs nowhere else.
 */
import { assert, describe, it } from "@effect/vitest"
import { CompanyDirectory, CompanyFacts } from "@lading/core/company"
import { PersonDirectory, PersonFacts } from "@lading/core/person"
import type { Directory, Source } from "@lading/core/waterfall"
import { Effect, Exit, Fiber, Schema, type Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import type { Simulator } from "../simulator/Simulator.ts"
import { faultsOf, label, mentions, misspelt, secretsOf, tick } from "./Faults.ts"
import { watched } from "./Watch.ts"

/** A directory and, where there is one, the vendor that it is bound to. */
export interface BoundDirectory<Filter, Found> {
  /** The adapter's name. */
  readonly adapter: string
  readonly directory: Directory.Directory<Filter, Found>
  readonly simulator: Simulator | null
}

export interface DirectorySuiteOptions<Filter, Found> {
  readonly make: Effect.Effect<BoundDirectory<Filter, Found>, never, Scope.Scope | HttpClient.HttpClient>
  readonly credential: Source.Credential
  /** For each filter of the vendor's a search that finds somebody by it, alone or beside what the vendor wants to know. */
  readonly finds: { readonly [Name in keyof Filter]?: Filter }
  /** A search with more than four hits, and fewer than fifty. */
  readonly many: Filter
  /** A search that finds nobody. */
  readonly nobody: Filter
}

/** The contract of a directory of companies. */
export const companyDirectorySuite = (
  name: string,
  options: DirectorySuiteOptions<CompanyDirectory.CompanyFilter, CompanyDirectory.CompanyHit>
): void =>
  suite(name, options, {
    word: "a directory of companies",
    schema: CompanyFacts,
    nothing: CompanyDirectory.noFilter,
    // Each alone, with a value that no vendor refuses.
    something: {
      query: "robotics",
      domains: ["nordvik-robotics.example"],
      countries: ["NO"],
      industries: ["machinery"],
      technologies: ["nginx"],
      employee_range: { min: 10, max: 500 },
      founded_range: { min: 1990, max: 2010 }
    },
    verdicts: (filter, { facts }) => CompanyDirectory.verdicts(filter, facts)
  })

/** The contract of a directory of people. */
export const personDirectorySuite = (
  name: string,
  options: DirectorySuiteOptions<PersonDirectory.PersonFilter, PersonDirectory.PersonHit>
): void =>
  suite(name, options, {
    word: "a directory of people",
    schema: PersonFacts,
    nothing: PersonDirectory.noFilter,
    something: {
      company_domain: "nordvik-robotics.example",
      titles: ["procurement"],
      seniorities: ["manager"],
      departments: ["sales"],
      countries: ["NO"]
    },
    verdicts: (filter, hit) =>
      new Map(
        // Of a vendor's classes only the vendor knows which of ours they are.
        [...PersonDirectory.verdicts(filter, hit)].filter(([of]) => of !== "seniorities" && of !== "departments")
      )
  })

interface Subject<Filter, Found> {
  readonly word: string
  readonly schema: Schema.ConstraintDecoder<unknown>
  readonly nothing: Filter
  readonly something: Filter
  readonly verdicts: (filter: Filter, hit: Found) => ReadonlyMap<keyof Filter, boolean | null>
}

const suite = <Filter extends object, Found extends Directory.Hit<unknown>>(
  name: string,
  options: DirectorySuiteOptions<Filter, Found>,
  subject: Subject<Filter, Found>
): void => {
  const { credential, finds, many, nobody } = options
  const secrets = secretsOf(credential)
  const bound = Effect.provide(options.make, FetchHttpClient.layer)
  const names = Object.keys(subject.nothing) as Array<keyof Filter & string>
  const first = (filter: Filter, limit = 10): Directory.Search<Filter> => ({ filter, limit, cursor: null })

  /** A fresh directory with its vendor; without one there is nothing to be shown. */
  const withVendor = (
    show: (vendor: Simulator, directory: Directory.Directory<Filter, Found>) => Effect.Effect<void, unknown>
  ) =>
    Effect.gen(function* () {
      const { directory, simulator } = yield* bound
      if (simulator !== null) yield* show(simulator, directory)
    })

  /** All pages of so many hits. */
  const pages = Effect.fnUntraced(function* (directory: Directory.Directory<Filter, Found>, limit: number) {
    const all = [yield* directory.search(first(many, limit), credential)]
    for (let last = all[0]!; last.next !== null; last = all.at(-1)!) {
      assert.isBelow(all.length, 100, "pages without an end")
      all.push(yield* directory.search({ filter: many, limit, cursor: last.next }, credential))
    }
    return all
  })

  describe(`${name}: ${subject.word}`, () => {
    it.live("has an example for each filter that it declares, and for no other", () =>
      Effect.gen(function* () {
        const { directory } = yield* bound
        assert.sameMembers(Object.keys(directory.filters), Object.keys(finds))
        assert.isNotEmpty(Object.keys(finds))
        assert.isTrue(directory.pageSize > 0 && directory.limits.concurrency > 0 && directory.limits.rate.calls > 0)
        assert.isTrue(directory.cost.units >= 0 && directory.cost.unit !== "")
      })
    )

    for (const by of names.filter((filter) => finds[filter] !== undefined)) {
      it.live(`finds by ${by}, and only what agrees with a filter that is exact`, () =>
        Effect.gen(function* () {
          const { adapter, directory } = yield* bound
          const filter = finds[by]!
          assert.isTrue(directory.accepts(filter))
          const { hits, total } = yield* directory.search(first(filter), credential)
          assert.isNotEmpty(hits)
          assert.isTrue(total === null || total >= hits.length)
          for (const hit of hits) {
            assert.strictEqual(hit.source, adapter)
            yield* Schema.decodeUnknownEffect(subject.schema, { onExcessProperty: "error" })(hit.facts)
            assert.deepStrictEqual(JSON.parse(JSON.stringify(hit.raw)), hit.raw)
            for (const [asked, agrees] of subject.verdicts(filter, hit)) {
              if (directory.filters[asked] === "exact")
                assert.isNotFalse(agrees, `${String(asked)} of ${String(hit.id)}`)
            }
          }
        })
      )
    }

    it.live("refuses, without a request, what it has no filter for, and a search for nothing", () =>
      Effect.gen(function* () {
        const { directory, simulator } = yield* bound
        const lacking = names.filter((filter) => directory.filters[filter] === undefined)
        for (const filter of [
          subject.nothing,
          ...lacking.map((by) => ({ ...subject.nothing, [by]: subject.something[by] })),
          ...lacking.map((by) => ({ ...many, [by]: subject.something[by] }))
        ]) {
          assert.isFalse(directory.accepts(filter))
          const error = yield* Effect.flip(directory.search(first(filter), credential))
          assert.strictEqual(error._tag, "InvalidInput")
        }
        assert.isEmpty(simulator === null ? [] : yield* simulator.calls)
      })
    )

    it.live("goes through all hits once, whatever the size of the pages", () =>
      Effect.gen(function* () {
        const { directory } = yield* bound
        const small = yield* pages(directory, 2)
        const large = yield* pages(directory, directory.pageSize)
        assert.isAbove(small.length, 2)
        for (const { hits } of small) assert.isAtMost(hits.length, 2)
        const ids = small.flatMap(({ hits }) => hits.map(({ raw }) => JSON.stringify(raw)))
        assert.strictEqual(new Set(ids).size, ids.length)
        assert.deepStrictEqual(
          large.flatMap(({ hits }) => hits.map(({ raw }) => JSON.stringify(raw))),
          ids
        )
        for (const { total } of [...small, ...large]) assert.isTrue(total === null || total === ids.length)
      })
    )

    it.live("gives no more than its own page where more is asked for", () =>
      Effect.gen(function* () {
        const { directory } = yield* bound
        const { hits } = yield* directory.search(first(many, 1_000_000), credential)
        assert.isTrue(hits.length > 0 && hits.length <= directory.pageSize)
      })
    )

    it.live("refuses, without a request, a cursor that is not of this search", () =>
      Effect.gen(function* () {
        const { directory, simulator } = yield* bound
        const { next } = yield* directory.search(first(many, 2), credential)
        assert.isString(next)
        if (simulator !== null) yield* simulator.reset
        for (const [filter, limit, cursor] of [
          [many, 3, next],
          [nobody, 2, next],
          [many, 2, "no cursor"],
          [many, 2, ""]
        ] as const) {
          const error = yield* Effect.flip(directory.search({ filter, limit, cursor }, credential))
          assert.strictEqual(error._tag, "InvalidInput")
        }
        assert.isEmpty(simulator === null ? [] : yield* simulator.calls)
      })
    )

    it.live("finds nobody without an error", () =>
      Effect.gen(function* () {
        const { directory } = yield* bound
        const { hits, next, total } = yield* directory.search(first(nobody), credential)
        assert.deepStrictEqual([hits, next], [[], null])
        assert.isTrue(total === null || total === 0)
      })
    )

    it.live("the vendor's word for nothing is a page without hits", () =>
      withVendor((vendor, directory) =>
        Effect.gen(function* () {
          yield* vendor.fail({ _tag: "Miss" })
          assert.deepInclude(yield* directory.search(first(many), credential), { hits: [], next: null })
        })
      )
    )

    for (const [fault, tag] of faultsOf(credential)) {
      it.live(`${label(fault)} is ${tag}, after exactly one request`, () =>
        withVendor((vendor, directory) =>
          Effect.gen(function* () {
            yield* vendor.fail(fault)
            const error = yield* Effect.flip(directory.search(first(many), credential))
            assert.strictEqual(error._tag, tag)
            assert.strictEqual((yield* vendor.calls).length, 1)
          })
        )
      )
    }

    it.live("a wrong key is Unauthorized; a credential of another shape is too, without a request", () =>
      withVendor((vendor, directory) =>
        Effect.gen(function* () {
          if (credential._tag === "None") return
          const wrong = yield* Effect.flip(directory.search(first(many), misspelt(credential)))
          assert.strictEqual(wrong._tag, "Unauthorized")
          yield* vendor.reset
          const none = yield* Effect.flip(directory.search(first(many), { _tag: "None" }))
          assert.strictEqual(none._tag, "Unauthorized")
          assert.isEmpty(yield* vendor.calls)
        })
      )
    )

    it.live("an interrupted search ends at once, and its request with it", () =>
      withVendor((vendor, directory) =>
        Effect.gen(function* () {
          yield* vendor.fail({ _tag: "Hang" })
          const fiber = yield* Effect.forkChild(directory.search(first(many), credential))
          yield* Effect.repeat(vendor.calls, { until: (calls) => calls.length === 1, schedule: tick })
          yield* Fiber.interrupt(fiber).pipe(Effect.timeout(1000))
          yield* Effect.repeat(vendor.waiting, { until: (count) => count === 0, schedule: tick }).pipe(
            Effect.timeout(1000)
          )
        })
      )
    )

    it.live("keeps the credential out of every hit, error, log and span", () =>
      withVendor((vendor, directory) =>
        Effect.gen(function* () {
          for (const fault of [null, ...faultsOf(credential).map(([fault]) => fault)]) {
            yield* vendor.reset
            if (fault !== null) yield* vendor.fail(fault)
            const seen = yield* watched(directory.search(first(many), credential))
            const told = [seen, Exit.isFailure(seen.exit) ? String(seen.exit.cause) : ""]
            for (const secret of secrets) {
              assert.isFalse(mentions(told, secret), `the credential is seen after ${fault?._tag ?? "a hit"}`)
            }
          }
        })
      )
    )
  })
}
