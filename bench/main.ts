/** `pnpm bench <name>`: runs one of the benchmarks; lists them where the name is missing or wrong. */

const benchmarks: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<unknown> }>> = {
  waterfall: {
    about: "CPU time of a company waterfall in memory, beside the same by hand",
    load: () => import("./waterfall/main.ts")
  },
  http: {
    about:
      "requests per second and latency of the server, beside a hand-written one (--quick, --only, --latency, --profile)",
    load: () => import("./http/main.ts")
  },
  enrichments: {
    about: "throughput and CPU of an enrichment with 500 callers and vendors that take 150 ms (--quick, --only)",
    load: () => import("./enrichments/main.ts")
  },
  sharing: {
    about:
      "vendor calls and credits that shared calls and kept answers save on a Zipf-distributed load (--quick, --only)",
    load: () => import("./sharing/main.ts")
  },
  names: {
    about: "precision, recall and F1 of matching traders' names, identities, and their speed (--quick, --errors)",
    load: () => import("./names/main.ts")
  },
  importers: {
    about: "records out of TSV and CSV files, beside the bare CSV package splitting them (--quick)",
    load: () => import("./importers/main.ts")
  },
  trade: {
    about:
      "customs records: importing and asking, beside the bare engine and PostgreSQL (--records, --quick, --only, --folder)",
    load: () => import("./trade/main.ts")
  },
  search: {
    about: "company search over a million companies, beside the bare engine and over HTTP (--companies, --quick)",
    load: () => import("./search/main.ts")
  },
  verify: {
    about:
      "addresses verified a second, beside deep-email-validator and bare sockets (--quick, --only, --profile <folder>)",
    load: () => import("./verify/main.ts")
  },
  "verify-list": {
    about:
      "a list of 100,000 addresses through a server, and through one that is killed (--quick, --kill, --store, --addresses)",
    load: () => import("./verify-list/main.ts")
  },
  platform: {
    about: "what authentication, rate limit, hold and capture cost a request on PostgreSQL (--quick, --profile)",
    load: () => import("./platform/main.ts")
  },
  ledger: {
    about: "holds and captures a second on one account and on many, and a quiet account beside a noisy one (--quick)",
    load: () => import("./ledger/main.ts")
  },
  heap: { about: "heap of the server over 100,000 requests (--only)", load: () => import("./heap/main.ts") }
}

const name = process.argv[2]
const found = name === undefined || !Object.hasOwn(benchmarks, name) ? undefined : benchmarks[name]
if (found === undefined) {
  console.log(name === undefined ? "Which benchmark?" : `There is no benchmark ${JSON.stringify(name)}, only`)
  for (const [known, { about }] of Object.entries(benchmarks)) console.log(`  ${known.padEnd(12)} ${about}`)
  process.exitCode = 1
} else await found.load()
