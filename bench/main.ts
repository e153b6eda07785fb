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
  heap: { about: "heap of the server over 100,000 requests (--only)", load: () => import("./heap/main.ts") }
}

const name = process.argv[2]
const found = name === undefined || !Object.hasOwn(benchmarks, name) ? undefined : benchmarks[name]
if (found === undefined) {
  console.log(name === undefined ? "Which benchmark?" : `There is no benchmark ${JSON.stringify(name)}, only`)
  for (const [known, { about }] of Object.entries(benchmarks)) console.log(`  ${known.padEnd(10)} ${about}`)
  process.exitCode = 1
} else await found.load()
