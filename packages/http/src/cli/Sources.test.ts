/** `lading sources` as people meet it: a process with an environment. */
import { assert, describe, it } from "@effect/vitest"
import * as CommandLine from "../fixtures/CommandLine.ts"

const marker = "marker-of-a-platform-key-77af"

const environment: CommandLine.Environment = {
  LADING_PROVIDER_A_API_KEY: marker,
  LADING_PROVIDER_B_ADAPTER: "none",
  LADING_WEBSITE: "on"
}

const run = (args: ReadonlyArray<string>, more: CommandLine.Environment = {}) =>
  CommandLine.run(["sources", ...args], { ...environment, ...more })

describe("lading sources", () => {
  it("prints every slot with its adapter, what it serves, costs and is limited to, and what its fixtures are from", async () => {
    const { code, stderr, stdout } = await run([])
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(stdout, /^provider_a: apollo 1, with the platform's key, fixtures documented, \d{4}-\d\d-\d\d$/m)
    assert.match(stdout, /^ {2}company +1 credit a hit +8 at once, 1,000 in 60 s, 20 s each +name, primary_domain, /m)
    assert.match(stdout, /^ {2}company search +1 credit a page +.* each +by query \(wide\), domains, /m)
    assert.match(stdout, /^ {2}person search +free +/m)
    assert.match(stdout, /^provider_b: not configured$/m)
    assert.match(stdout, /^provider_c: hunter 1, with the caller's own key only, /m)
    assert.match(stdout, /^ {2}person search +1 credit for 10 hits +/m)
    assert.match(stdout, /^website: website \S+, without a key/m)
    assert.notInclude(stdout, marker)
  })

  it("prints the same as one JSON value", async () => {
    const { code, stderr, stdout } = await run(["--json"])
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.notInclude(stdout, marker)
    const { sources } = JSON.parse(stdout)
    assert.deepStrictEqual(
      sources.map(({ adapter, source }: any) => [source, adapter?.name ?? null, adapter?.credential ?? null]),
      [
        ["provider_a", "apollo", "platform"],
        ["provider_b", null, null],
        ["provider_c", "hunter", "caller"],
        ["provider_d", "peopledatalabs", "caller"],
        ["website", "website", "none"]
      ]
    )
    const { fixtures, operations, version } = sources[3].adapter
    assert.strictEqual(version, "1")
    assert.strictEqual(fixtures.origin, "documented")
    assert.deepStrictEqual(operations.company.cost, { kind: "per_hit", units: 1, unit: "company enrichment credit" })
    assert.include(operations.company.fields, "annual_revenue")
    assert.deepStrictEqual(operations.person_search, {
      filters: {
        company_domain: "exact",
        titles: "exact",
        seniorities: "exact",
        departments: "exact",
        countries: "exact"
      },
      cost: { units: 1, records: 1, unit: "person search credit" },
      page_size: 100,
      limits: { concurrency: 2, calls: 10, window_ms: 60_000, timeout_ms: 20_000 }
    })
    assert.isNull(sources[4].adapter.operations.person_search)
  })

  it("says on one line what is wrong with the configuration, as the start does", async () => {
    const { code, stderr, stdout } = await run([], { LADING_PROVIDER_B_ADAPTER: "plain" })
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(stderr, /^lading: LADING_PROVIDER_B_BASE_URL: expected the vendor's address[^\n]*\n$/)
  })
})
