/**
 * `pnpm bench waterfall`: a company waterfall over four sources in memory, by Lading's core and by hand. Both sides are checked
 * to give the same answer before anything is measured.
 */
import assert from "node:assert/strict"
import * as Measure from "../Measure.ts"
import * as byHand from "./byHand.ts"
import { facts } from "./company.ts"
import * as lading from "./lading.ts"

const iterations = 1000
const rounds = 15
const hour = 3_600_000

const sources = facts.map((one, index) => [`provider_${"abcd"[index]}`, () => Promise.resolve(one)] as const)
const mine = await lading.make(sources)
const theirs = byHand.make(sources)

const domain = "nordvik-robotics.example"
assert.deepEqual(await mine.ask(domain, 0), await theirs(domain, 0), "both sides answer the same")

const round = (ask: (domain: string, maxAge: number) => Promise<unknown>, maxAge: number) => async () => {
  for (let count = 0; count < iterations; count++) await ask(domain, maxAge)
}

const compare = (job: string, maxAge: number) =>
  Measure.compare(
    job,
    { name: "lading", round: round(mine.ask, maxAge) },
    { name: "by hand", round: round(theirs, maxAge) },
    { iterations, rounds }
  )

await Measure.publish("waterfall", [
  await compare("four sources asked at once", 0),
  await compare("four answers from the cache", hour)
])
await mine.dispose()
