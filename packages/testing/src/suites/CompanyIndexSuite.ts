/**
 * What every index of companies does. Random companies are put and records imported, in turns, and every answer is held
 * against the rules as plain functions (`CompanyIndexMemory`).
 */
import { assert, layer as withLayer } from "@effect/vitest"
import { CompanyIndex, CompanyIndexMemory, type CompanyQuestion, KnownCompany } from "@lading/core/company"
import { TradeLoads, type TradeRecord, TradeStore } from "@lading/core/trade"
import { Effect, Layer, Option } from "effect"
import { Dice } from "../trade/Dice.ts"
import * as Trade from "../trade/index.ts"

const trade = [...Trade.make({ records: 500, months: 12 }).stream()]
const generated = trade.map(({ record }) => record)
const truth = Trade.traderOf(trade)

const anyone: CompanyQuestion.Filter = {
  query: null,
  domains: [],
  countries: [],
  industries: [],
  technologies: [],
  employee_range: null,
  founded_range: null,
  has_trade: null
}

const names = "Nordvik Acme Robotics Härdel Möbel Østfold Textil Grains Kestrel Valves".split(" ")
const countries = ["NO", "DE", "PE", "CN"]
const industries = ["Machinery", "Textiles", "Farming", "Software"]
const technologies = ["Postgres", "Shopify", "SAP", "Kafka"]

const some = (dice: Dice, of: ReadonlyArray<string>): ReadonlyArray<string> => of.filter(() => dice.maybe(0.3))
const oneOf = (dice: Dice, of: ReadonlyArray<string>): string => of[dice.below(of.length)] ?? ""

const employees = (dice: Dice): KnownCompany.Said["employees"] => {
  if (dice.maybe(0.3)) return null
  const min = dice.below(3000)
  return { min, max: dice.maybe(0.2) ? null : min + dice.below(500) }
}

/** A party of the records, as a profile would name it. */
const partyOf = (dice: Dice): TradeRecord.Party => {
  const record = generated[dice.below(generated.length)] ?? generated[0]
  const party = dice.maybe(0.5) ? record?.importer : record?.exporter
  return party ?? { name: null, country: null, tax_id: null, address: null }
}

const company = (dice: Dice, index: number): KnownCompany.KnownCompany => {
  const party = partyOf(dice)
  const isTrader = dice.maybe(0.3) && party.name !== null
  const name = isTrader ? party.name : `${oneOf(dice, names)} ${oneOf(dice, names)} ${index % 7}`
  return {
    account: dice.maybe(0.2) ? oneOf(dice, ["acc_a", "acc_b"]) : null,
    trader_id: dice.maybe(0.1) ? truth(party, "importer") : null,
    name,
    domain: dice.maybe(0.8)
      ? `${oneOf(dice, names)
          .toLowerCase()
          .replace(/[^a-z]/g, "x")}-${index % 40}.example`
      : null,
    website_url: dice.maybe(0.5) ? "https://www.example/" : null,
    country: isTrader ? party.country : dice.maybe(0.8) ? oneOf(dice, countries) : null,
    city: dice.maybe(0.5) ? "Bergen" : null,
    industries: some(dice, industries),
    technologies: some(dice, technologies),
    employees: employees(dice),
    founded_year: dice.maybe(0.6) ? 1900 + dice.below(120) : null,
    description: dice.maybe(0.4) ? "It's \t a 'firm' \\ of\nsome kind" : null,
    linkedin_url: dice.maybe(0.4) ? "linkedin.com/company/x" : null
  }
}

const query = (dice: Dice): string => {
  const party = partyOf(dice)
  const text = dice.maybe(0.4)
    ? (party.name ?? "")
    : `${oneOf(dice, names)} ${dice.maybe(0.5) ? oneOf(dice, names) : ""}`
  return text.slice(0, 1 + dice.below(text.length))
}

const filter = (dice: Dice): CompanyQuestion.Filter => ({
  query: dice.maybe(0.5) ? query(dice) : null,
  domains: dice.maybe(0.1) ? [`www.${oneOf(dice, names).toLowerCase()}-${dice.below(40)}.example`, "x.example"] : [],
  countries: dice.maybe(0.3) ? some(dice, countries) : [],
  industries: dice.maybe(0.3) ? some(dice, [...industries, "Nothing"]) : [],
  technologies: dice.maybe(0.3) ? some(dice, technologies).map((one) => one.toUpperCase()) : [],
  employee_range: dice.maybe(0.2) ? { min: dice.below(2000), max: dice.maybe(0.5) ? 2500 : null } : null,
  founded_range: dice.maybe(0.2) ? { min: dice.maybe(0.5) ? 1950 : null, max: 1990 + dice.below(20) } : null,
  has_trade: dice.maybe(0.2) ? dice.maybe(0.5) : null
})

type Index = CompanyIndex.CompanyIndex["Service"]

/** Every company of a question, page by page behind one another. */
const all = Effect.fnUntraced(function* (index: Index, asked: CompanyQuestion.Filter, account: string, limit: number) {
  const found: Array<CompanyQuestion.Row> = []
  let after: CompanyQuestion.Position | null = null
  for (;;) {
    const page: CompanyIndex.Listed = yield* index.search({ filter: asked, account, page: 1, limit, after })
    found.push(...page.list)
    if (page.next === null) return { found, total: page.total }
    after = page.next
  }
})

const account = (dice: Dice): string => oneOf(dice, ["acc_a", "acc_b", "acc_c"])

/** Asks both the same. */
const compare = Effect.fnUntraced(function* (index: Index, model: Index, dice: Dice) {
  const [asked, who, limit] = [filter(dice), account(dice), 5 + dice.below(95)]
  const shown = JSON.stringify(asked)
  const expected = yield* all(model, asked, who, limit)
  assert.deepStrictEqual(yield* all(index, asked, who, limit), expected, shown)
  const page = 1 + dice.below(4)
  const question = { filter: asked, account: who, page, limit, after: null }
  assert.deepStrictEqual(yield* index.search(question), yield* model.search(question), shown)
  assert.deepStrictEqual(yield* index.facets(asked, who), yield* model.facets(asked, who), shown)
  const [first] = expected.found
  if (first === undefined) return
  const { company_id } = first.company
  assert.deepStrictEqual(yield* index.byId(company_id, who), first)
  const { country, domain, name } = first.company
  const identities = [
    { name: null, country: null, domain },
    { name, country, domain: null },
    { name: "Nobody of that name", country: "NO", domain: "nobody.example" }
  ]
  assert.deepStrictEqual(yield* index.known(identities, who), yield* model.known(identities, who), company_id)
})

let digests = 0

const load = Effect.fnUntraced(function* (
  loads: TradeLoads.TradeLoads["Service"],
  records: ReadonlyArray<TradeRecord.TradeRecord>,
  replaces: TradeLoads.Replaces | null
) {
  const begun = yield* loads.begin({
    name: "file",
    digest: `companies-${process.pid}-${++digests}`,
    format: "test",
    replaces
  })
  const rows = records.map((record) => ({
    record,
    importer_id: truth(record.importer, "importer"),
    exporter_id: truth(record.exporter, "exporter")
  }))
  yield* loads.write(begun.load, { rows, rejected: 0, position: "1" })
  yield* loads.publish(begun.load)
})

/** The plain index over these companies and records. */
const modelOf = (puts: ReadonlyArray<KnownCompany.KnownCompany>, records: ReadonlyArray<TradeRecord.TradeRecord>) =>
  Effect.gen(function* () {
    const index = yield* CompanyIndex.CompanyIndex
    yield* index.put(puts)
    return index
  }).pipe(
    Effect.provide(Layer.fresh(Layer.provide(CompanyIndexMemory.layerOver, TradeStore.layerMemory(records, truth))))
  )

export const companyIndexSuite = <E, Given>(
  name: string,
  layer: Layer.Layer<CompanyIndex.CompanyIndex | Given, E>,
  { rounds = 6, questions = 25 }: { readonly rounds?: number; readonly questions?: number } = {}
): void =>
  withLayer(layer, { timeout: "60 seconds" })(`CompanyIndex: ${name}`, (it) => {
    it.effect(
      "answers as the plain rules do, whatever is put, erased, imported and replaced",
      () =>
        Effect.gen(function* () {
          const index = yield* CompanyIndex.CompanyIndex
          const loads = yield* Effect.serviceOption(TradeLoads.TradeLoads)
          const dice = new Dice()
          let puts: ReadonlyArray<KnownCompany.KnownCompany> = []
          let records: ReadonlyArray<TradeRecord.TradeRecord> = []
          for (let round = 0; round < rounds; round++) {
            dice.of(11, 5, round)
            if (Option.isSome(loads) && round % 2 === 1) {
              const from = dice.below(200)
              records = generated.slice(from, from + 1 + dice.below(300))
              yield* load(loads.value, records, round === 1 ? null : { kind: "file", name: "file" })
            }
            const more = Array.from({ length: 40 }, (_, one) => company(dice, round * 40 + one))
            puts = puts.concat(more)
            for (const part of [more.slice(0, 1), more.slice(1, 3), more.slice(3)]) yield* index.put(part)
            if (dice.maybe(0.5)) {
              const gone = puts.find(({ domain }) => domain !== null)?.domain ?? "nobody.example"
              const handle = KnownCompany.handleOf(gone)
              yield* index.erase([handle, "email:nobody@other.example"])
              puts = puts.filter(({ domain }) => domain === null || KnownCompany.handleOf(domain) !== handle)
              assert.deepStrictEqual(yield* index.known([{ name: null, country: null, domain: gone }], "acc_a"), [null])
            }
            const model = yield* modelOf(puts, records)
            for (let asked = 0; asked < questions; asked++) yield* compare(index, model, dice)
          }
        }),
      300_000
    )

    it.effect("what was bought with an account's own key is shown to it alone, in place of everybody's", () =>
      Effect.gen(function* () {
        const index = yield* CompanyIndex.CompanyIndex
        const said = {
          ...KnownCompany.nothing,
          name: "Tervik Looms",
          domain: "tervik.example",
          country: "NO",
          trader_id: null
        }
        yield* index.put([{ ...said, account: null, founded_year: 1990 }])
        yield* index.put([{ ...said, account: "acc_own", founded_year: 1991 }])
        const year = (who: string) =>
          Effect.map(
            index.search({ filter: { ...anyone, query: "tervik" }, account: who, page: 1, limit: 9, after: null }),
            ({ list, total }) => [total, ...list.map(({ company }) => company.founded_year)]
          )
        assert.deepStrictEqual(yield* year("acc_own"), [1, 1991])
        assert.deepStrictEqual(yield* year("acc_other"), [1, 1990])
        assert.strictEqual(yield* index.erase(["domain:tervik.example"]), 2)
        assert.deepStrictEqual(yield* year("acc_own"), [0])
      })
    )

    it.effect("pages have no doubles while more is put", () =>
      Effect.gen(function* () {
        const index = yield* CompanyIndex.CompanyIndex
        const numbered = (from: number) =>
          Array.from({ length: 60 }, (_, one) => ({
            ...KnownCompany.nothing,
            account: null,
            trader_id: null,
            name: `Paged ${from + one}`,
            domain: `paged-${from + one}.example`,
            country: "NO"
          }))
        yield* index.put(numbered(0))
        const seen: Array<string> = []
        let after: CompanyQuestion.Position | null = null
        for (let page = 0; page < 20; page++) {
          const asked = { filter: { ...anyone, query: "paged" }, account: "acc_a", page: 1, limit: 10, after }
          const found: CompanyIndex.Listed = yield* index.search(asked)
          seen.push(...found.list.map(({ company }) => company.company_id))
          if (found.next === null) break
          after = found.next
          if (page < 2) yield* index.put(numbered(60 * (page + 1)))
        }
        assert.strictEqual(new Set(seen).size, seen.length)
        for (const { domain } of numbered(0)) {
          assert.include(seen, KnownCompany.ownId({ name: null, country: null, domain }))
        }
      })
    )
  })
