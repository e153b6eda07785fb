/**
 * `pnpm bench verify`: a list of invented addresses verified by `@lading/smtp`, by the npm package `deep-email-validator`,
 * and by bare sockets that send the same commands, against the same mail hosts and name server on loopback, which are a
 * process of their own. All may have as many connections at a time; only Lading is told how many one host may have, and the
 * host's own count is held against that.
 *
 * - `--quick`: few addresses, one round, nothing is written.
 * - `--only near|far|difficult|task`: one scenario, nothing is written.
 * - `--profile <folder>`: writes CPU profiles of Lading's processes, and nothing else.
 */
import assert from "node:assert/strict"
import { parseArgs } from "node:util"
import { MailPopulation } from "@lading/testing/mail"
import * as Measure from "../Measure.ts"
import * as Job from "./Job.ts"
import * as World from "./World.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, only: { type: "string" }, profile: { type: "string" } }
})

/** Mail hosts that do as RFC 5321 and RFC 2920 say. */
const behaved = ["strict", "plain", "one_recipient", "one_domain", "exchange"] as const

const hosts = 20
const limits = { perHost: 2, connections: 40, questions: 100, refusals: 20 }

interface Scenario {
  readonly name: string
  readonly about: string
  readonly addresses: number
  /** Of which those are verified by who is given one at a time: what each costs does not depend on how many there are. */
  readonly singly?: number
  /** Milliseconds that each reply is on its way. */
  readonly latency: number
  readonly personas?: MailPopulation.PopulationSpec["personas"]
  readonly kinds?: MailPopulation.PopulationSpec["kinds"]
  readonly contenders: ReadonlyArray<Job.Name>
  readonly rounds: number
}

const rounds = values.quick ? 1 : 3
const size = (addresses: number) => (values.quick ? Math.ceil(addresses / 10) : addresses)

const scenarios: ReadonlyArray<Scenario> = [
  {
    name: "near",
    about: "replies at once",
    addresses: size(20_000),
    singly: size(8_000),
    latency: 0,
    personas: behaved,
    contenders: ["lading", "singles", "deep-email-validator", "bare"],
    rounds
  },
  {
    name: "far",
    about: "replies after 50 ms",
    addresses: size(20_000),
    singly: size(2_000),
    latency: 50,
    personas: behaved,
    contenders: ["lading", "singles", "deep-email-validator", "bare"],
    rounds
  },
  {
    name: "difficult",
    about:
      "replies after 50 ms, and a host in four without PIPELINING, one in eight that hangs up at the ninth address",
    addresses: size(2_000),
    latency: 50,
    contenders: ["lading", "deep-email-validator"],
    rounds: 1
  },
  {
    name: "task",
    about: "a task, replies after 50 ms",
    addresses: size(10_000),
    latency: 50,
    personas: behaved,
    // Domains whose name servers fail are asked for again after minutes.
    kinds: { servfail: 0 },
    contenders: ["task"],
    rounds: 1
  }
]

const chosen = scenarios.filter(({ name }) => values.only === undefined || values.only === name)
if (chosen.length === 0) throw new Error(`Expected --only ${scenarios.map(({ name }) => name).join(", ")}`)

const populationOf = ({ addresses, kinds, personas }: Scenario): MailPopulation.PopulationSpec => ({
  addresses,
  domains: Math.ceil(addresses / 4),
  hosts,
  ...(personas === undefined ? {} : { personas }),
  ...(kinds === undefined ? {} : { kinds })
})

/** A round of one contender, with what the servers counted meanwhile. */
interface Round {
  /** Addresses a second. */
  readonly rate: number
  /** Microseconds on the processor for an address. */
  readonly cpu: number
  /** MiB: the most, and what of it came with the work. */
  readonly peak: number
  readonly grown: number
  readonly connections: number
  readonly recipients: number
  readonly most_per_host: number
  /** Microseconds of the servers for an address. */
  readonly servers: number
  /** Of the addresses that are decided, how many it was right about. */
  readonly right: number
  /** Milliseconds until a task shows progress. */
  readonly first_progress?: number
}

const usable = new Set(["safe", "role_account", "catch_all"])
const unusable = new Set(["invalid", "disabled", "inbox_full"])

/** Whether what was said is what is so. Who knows `valid` and `invalid` only is right about whether the host takes mail for it. */
const isRight = (said: string | undefined, expected: string): boolean =>
  said === expected || (said === "valid" && usable.has(expected)) || (said === "invalid" && unusable.has(expected))

const MIB = 1024 * 1024

const roundOf = async (world: World.World, scenario: Scenario, name: Job.Name): Promise<Round> => {
  const population = populationOf(scenario)
  await world.clear()
  const before = await world.counted()
  const { nameServer, port } = world
  const isSingle = name === "singles" || name === "deep-email-validator"
  const most = isSingle ? (scenario.singly ?? scenario.addresses) : scenario.addresses
  const done = await Job.run(name, { population, nameServer, port, ...limits, addresses: most }, values.profile)
  const counted = await world.counted()
  const { addresses: all, expected } = MailPopulation.make(population)
  const addresses = all.slice(0, most)
  const right = addresses.filter((email) => isRight(done.said[email], expected.get(email) ?? "unknown")).length
  if (name !== "deep-email-validator")
    assert(counted.mostPerHost <= limits.perHost, `${name}: ${counted.mostPerHost} connections to one host`)
  return {
    rate: addresses.length / done.seconds,
    cpu: (done.cpu / addresses.length) * 1e6,
    peak: done.peak / MIB,
    grown: (done.peak - done.before) / MIB,
    connections: counted.opened,
    recipients: counted.recipients,
    most_per_host: counted.mostPerHost,
    servers: ((counted.cpu - before.cpu) / addresses.length) * 1e6,
    right: right / addresses.length,
    ...(done.first === undefined ? {} : { first_progress: done.first })
  }
}

type Figure = Exclude<keyof Round, "first_progress">

const figures = [
  "rate",
  "cpu",
  "peak",
  "grown",
  "connections",
  "recipients",
  "most_per_host",
  "servers",
  "right"
] as const

const mediansOf = (all: ReadonlyArray<Round>) => {
  const first = all.flatMap((round) => round.first_progress ?? [])
  const medians = figures.map((figure) => [figure, Measure.median(all.map((round) => round[figure]))])
  return {
    // One entry for each figure.
    ...(Object.fromEntries(medians) as Record<Figure, number>),
    ...(first.length === 0 ? {} : { first_progress: Measure.median(first) })
  }
}

/** Ours to theirs, of neighbouring rounds. */
const ratiosOf = (ours: ReadonlyArray<Round>, theirs: ReadonlyArray<Round>) => {
  const ratio = (figure: Figure) =>
    Measure.spread(ours.map((mine, round) => mine[figure] / (theirs[round]?.[figure] ?? Number.NaN)))
  return { rate: ratio("rate"), cpu: ratio("cpu"), peak: ratio("peak") }
}

const measure = async (scenario: Scenario) => {
  const { about, addresses, contenders, latency, name, singly } = scenario
  await using world = await World.start({ population: populationOf(scenario), latency })
  const all = new Map<Job.Name, Array<Round>>(contenders.map((contender) => [contender, []]))
  for (let round = 0; round < scenario.rounds; round++)
    for (const [contender, rounds] of all) {
      if (values.profile !== undefined && !["lading", "singles", "task", "bare"].includes(contender)) continue
      rounds.push(await roundOf(world, scenario, contender))
    }
  const by = Object.fromEntries([...all].map(([contender, rounds]) => [contender, mediansOf(rounds)]))
  console.log(`${name}: ${addresses} addresses, ${about}`)
  console.table(
    Object.entries(by).map(([contender, { first_progress, ...each }]) => ({
      contender,
      "addresses/s": each.rate.toFixed(0),
      "CPU µs": each.cpu.toFixed(0),
      "peak MiB": each.peak.toFixed(0),
      "grown MiB": each.grown.toFixed(0),
      connections: each.connections,
      RCPT: each.recipients,
      "most at a host": each.most_per_host,
      "servers' CPU µs": each.servers.toFixed(0),
      right: `${(each.right * 100).toFixed(1)} %`,
      ...(first_progress === undefined ? {} : { "first progress ms": first_progress.toFixed(0) })
    }))
  )
  const lading = all.get("lading") ?? []
  const ratios = Object.fromEntries(
    [...all]
      .filter(([contender, rounds]) => contender !== "lading" && rounds.length === lading.length)
      .map(([contender, rounds]) => [contender, ratiosOf(lading, rounds)])
  )
  for (const [contender, { cpu, peak, rate }] of Object.entries(ratios))
    console.log(
      `lading to ${contender}: ${rate.median.toFixed(2)} times the rate (${rate.min.toFixed(2)} to ${rate.max.toFixed(2)}), ` +
        `${cpu.median.toFixed(2)} times the CPU, ${peak.median.toFixed(2)} times the memory`
    )
  return {
    name,
    addresses,
    ...(singly === undefined ? {} : { singly }),
    latency_ms: latency,
    rounds: scenario.rounds,
    contenders: by,
    ratios
  }
}

const measured: Array<Awaited<ReturnType<typeof measure>>> = []
for (const scenario of chosen) measured.push(await measure(scenario))
if (!values.quick && values.profile === undefined && measured.length === scenarios.length)
  await Measure.write("verify", { hosts, ...limits, scenarios: measured })
