/**
 * Which requests a question takes: exactly those that the adapter's README documents, in their order, none twice but the
 * polls that are written down; for somebody who is known, for nobody, and when something fails on the way.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Directory, Source, SourceError } from "@lading/core/waterfall"
import { Effect } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { readFileSync } from "node:fs"
import type { Call, Fault } from "../simulator/Simulator.ts"
import type { SourceSuiteOptions } from "./SourceSuite.ts"

type Answer = Source.Outcome<unknown> | Directory.Page<unknown>

export interface Course {
  /** What is asked, for the name of the test. */
  readonly of: string
  readonly ask: (source: Source.Source) => Effect.Effect<Answer, SourceError.SourceError, HttpClient.HttpClient>
  /** What the vendor does from a request on; 0 is the first. */
  readonly fault?: readonly [from: number, Fault, times?: number]
  /** How it ends: the tag of an outcome or of an error; of a search `Hit` where it finds somebody, else `Miss`. */
  readonly ends: string
  /**
   * Method and path, then the names in the query behind `?` and those of the body in braces, both by the alphabet:
   * `POST /v2/lookup?domain {id, secret}`. A part of the path such as `{hash}` may be anything.
   */
  readonly requests: ReadonlyArray<string>
  /** How many of the last requests are sent at the same time, so that their order is any. */
  readonly together?: number
}

export interface SequenceSuiteOptions extends Pick<SourceSuiteOptions<never>, "make"> {
  readonly courses: ReadonlyArray<Course>
  /** The README that names each request by method and path; left out where paths are the asked one's own. */
  readonly readme?: URL
}

/** Registers the suite. */
export const sequenceSuite = (name: string, { courses, make, readme }: SequenceSuiteOptions): void => {
  describe(`${name}: requests`, () => {
    for (const { ask, ends, fault, of, requests, together = 0 } of courses) {
      it.live(`${of}: ${ends} after ${requests.length === 0 ? "no request" : requests.join(", ")}`, () =>
        Effect.gen(function* () {
          const { simulator, source } = yield* make
          if (fault !== undefined) {
            const [from, what, times] = fault
            yield* simulator.fail({ _tag: "Slow", millis: 0 }, from)
            yield* simulator.fail(what, times)
          }
          const end = yield* Effect.match(ask(source), { onFailure: ({ _tag }): string => _tag, onSuccess: tagOf })
          const shown = (yield* simulator.calls).map((call, index) => written(call, requests[index]))
          assert.deepStrictEqual(
            { end, requests: settled(shown, together) },
            { end: ends, requests: settled(requests, together) }
          )
        }).pipe(Effect.provide(FetchHttpClient.layer))
      )
    }

    it("stand in the README", () => {
      if (readme === undefined) return
      const page = readFileSync(readme, "utf8")
      const bare = courses.flatMap(({ requests }) =>
        requests.map((request) => request.replace(/( \{[^}]*\}|\?.*)$/, ""))
      )
      for (const request of new Set(bare)) assert.include(page, request.split("?")[0]!)
    })
  })
}

const tagOf = (answer: Answer): string => {
  if ("_tag" in answer) return answer._tag
  return answer.hits.length > 0 ? "Hit" : "Miss"
}

/** What was sent, with the parts of its path that may be anything as they are documented. */
const written = ({ body, method, path, query }: Call, documented = ""): string => {
  const parts = (documented.split(/[ ?]/)[1] ?? "").split("/")
  const shown = path.split("/").map((part, index) => (/^\{\w+\}$/.test(parts[index] ?? "") ? parts[index] : part))
  const asked = Object.keys(query).toSorted()
  const fields = typeof body === "object" && body !== null ? Object.keys(body).toSorted() : []
  return [
    `${method} ${shown.join("/")}${asked.length === 0 ? "" : `?${asked.join("&")}`}`,
    ...(fields.length === 0 ? [] : [`{${fields.join(", ")}}`])
  ].join(" ")
}

const settled = (requests: ReadonlyArray<string>, together: number): ReadonlyArray<string> => {
  const ordered = requests.length - together
  return [...requests.slice(0, ordered), ...requests.slice(ordered).toSorted()]
}
