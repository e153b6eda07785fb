import { facts } from "./waterfall/company.ts"
import * as lading from "./waterfall/lading.ts"
const sources = facts.map((one, index) => [`provider_${"abcd"[index]}`, () => Promise.resolve(one)] as const)
const mine = await lading.make(sources)
const age = Number(process.argv[2])
for (let i = 0; i < 6000; i++) await mine.ask("nordvik-robotics.example", age)
