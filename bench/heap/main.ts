/**
 * `pnpm bench heap`: what Lading's server keeps in memory over 100,000 requests, each about another company. The heap is
 * read after a collection; growth is what it is at the end beside what it was after the warm-up, which fills what is
 * remembered up to a bound. Fails when it grows by more than a tenth.
 *
 * `--only postgres`: on PostgreSQL in place of the embedded database, whose memory is outside of the heap. `--requests`:
 * another number of them.
 */
import { parseArgs } from "node:util"
import * as Measure from "../Measure.ts"
import * as Contender from "../http/Contender.ts"
import * as Load from "../http/Load.ts"
import type { Heap } from "../http/Probe.ts"
import * as Store from "../http/Store.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { only: { type: "string", default: "pglite" }, requests: { type: "string", default: "100000" } }
})

const store = Store.kinds.find((kind) => kind === values.only)
if (store === undefined) throw new Error(`Expected --only ${Store.kinds.join(" or --only ")}`)
const requests = Number(values.requests)
const warmUp = 20_000
const steps = 10

/** Of the heap after the warm-up. */
const most = 0.1

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)

await using vendors = await Contender.startVendors()
await using lading = await Contender.start("lading", {
  store,
  vendors: vendors.urls.slice(0, 2),
  credits: 1e9,
  flags: ["--expose-gc"]
})
const readings: Array<Heap & { readonly requests: number }> = []
const read = async (after: number) => {
  const heap = await lading.ask("heap")
  readings.push({ requests: after, ...heap })
  const { external, heapUsed, rss } = heap
  console.log(
    `${String(after).padStart(7)} requests: heap ${mebibytes(heapUsed)} MiB, outside of it ${mebibytes(external)}, all ${mebibytes(rss)}`
  )
}
await Load.run(lading.url, { requests: warmUp })
await read(0)
for (let step = 1; step <= steps; step++) {
  await Load.run(lading.url, { requests: Math.floor(requests / steps) })
  await read(Math.floor((requests / steps) * step))
}

const used = (some: ReadonlyArray<Heap>): number => Measure.median(some.map(({ heapUsed }) => heapUsed))
// Memory that is bounded is emptied and filled again: a single reading may be at either end of that.
const growth = used(readings.slice(-3)) - used(readings.slice(0, 3))
const share = growth / used(readings.slice(0, 3))
console.log(`The heap grew by ${mebibytes(growth)} MiB, ${(share * 100).toFixed(1)} %, over ${requests} requests.`)
if (requests >= 100_000) await Measure.write("heap", { store, warm_up: warmUp, readings, growth })
if (share > most) throw new Error(`The heap grew by more than ${most * 100} %`)
