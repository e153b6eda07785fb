import { existsSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as LegalForms from "./LegalForms.ts"
import * as NameWords from "./NameWords.ts"
import * as TraderName from "./TraderName.ts"

const tokens = (name: string) => TraderName.read(name).tokens.join(" ")
const forms = (name: string) => TraderName.read(name).legal.map(({ compare }) => compare)

describe("TraderName", () => {
  it("has the words of a name without case, accents, punctuation and legal form, in every script", () => {
    for (const [name, words] of [
      ["Quillmere Foods S.A.C.", "quillmere foods"],
      ["QUILLMERE FOODS S. A. C. S.A.", "quillmere foods"],
      ["Müstrich & Söhne GmbH & Co. KG", "mustrich sohne"],
      ["O'Hallery Trading Co., Ltd.", "ohallery trading"],
      ["The Wexcombe Paper Company", "wexcombe paper"],
      ["M/S Jorvani Textiles Pvt. Ltd.", "jorvani textiles"],
      ["PT. Sejuk Rimba Tbk", "sejuk rimba"],
      ["ООО «Дальмирис»", "дальмирис"],
      ["Общество с ограниченной ответственностью Дальмирис", "дальмирис"],
      ["株式会社ヒバリ製作所", "ヒバリ 制作所"],
      ["ヒバリ製作所㈱", "ヒバリ 制作所"],
      ["上海霖湖进出口有限公司", "上海 霖湖 进出口"],
      ["寧波錦帆股份有限公司", "宁波 锦帆"],
      ["주식회사 한울가람무역", "한울가람 무역"],
      ["شركة الزهراوند للتجارة ذ.م.م", "الزهراوند للتجاره"],
      ["Φιλοκτίστης Α.Ε.", "φιλοκτιστησ"],
      ["Công ty TNHH Hoàng Sơn", "hoang son"],
      ["Yıldızgül San. ve Tic. A.Ş.", "yildizgul"],
      ['אורלנדי בע"מ', "אורלנדי"],
      ["Łabędzińska Sp. z o.o. Sp. k.", "labedzinska"]
    ] as const) {
      assert.strictEqual(tokens(name), words, name)
    }
  })

  it("leaves words of business that forms are made of where they say something", () => {
    for (const [name, words] of [
      ["Auto Parts Company Ltd", "auto parts"],
      ["Golden Enterprises Company", "golden enterprises"],
      ["Shaktori Enterprise Private Limited", "shaktori enterprise"],
      ["Golden State Company", "golden state"],
      ["Corporacion Miraflorin SAC", "corporacion miraflorin"],
      ["Association of Sample Growers", "sample growers"],
      ["Acmerol Industrial Company Limited", "acmerol industrial"],
      ["Sociedad Minera Altaverde S.A.", "minera altaverde"],
      ["AB Foods", "ab foods"],
      ["Bank of Samples", "bank of samples"],
      ["Limited", "limited"],
      ["S.A.", "sa"]
    ] as const) {
      assert.strictEqual(tokens(name), words, name)
    }
  })

  it("compares spellings of one form alike, and forms of one class weakly", () => {
    assert.deepStrictEqual(forms("Belka S.A.C."), forms("BELKA SOCIEDAD ANONIMA CERRADA"))
    assert.deepStrictEqual(forms("Belka Ltda."), forms("BELKA LIMITADA"))
    assert.deepStrictEqual(forms("Belka"), [])
    const agreement = (a: string, b: string) => LegalForms.agreement(TraderName.read(a).legal, TraderName.read(b).legal)
    assert.strictEqual(agreement("Belka GmbH", "BELKA G.M.B.H."), 1)
    assert.strictEqual(agreement("Belka GmbH", "Belka LLC"), 0)
    assert.strictEqual(agreement("Belka GmbH", "Belka AG"), -1)
    assert.strictEqual(agreement("Belka GmbH", "Belka"), 0)
    assert.strictEqual(agreement("Belka GmbH", "Belka Co."), 0)
    assert.deepStrictEqual(TraderName.read("Belka GmbH").legal[0]?.countries, ["DE", "AT", "CH"])
  })

  it("drops who only receives letters, who acts for another, other names, telephones and tax ids", () => {
    for (const [name, words] of [
      ["Quillmere Foods SAC C/O Blue Dock", "quillmere foods"],
      ["C/O Quillmere Foods", "quillmere foods"],
      ["Speedline Freight O/B Lumenfold Optics", "lumenfold optics"],
      ["Speedline on behalf of Lumenfold Optics", "lumenfold optics"],
      ["Kestimo Leather T/A Blue Hide", "kestimo leather"],
      ["Tarnhollow Ltd TEL: +44 20 7946 0000", "tarnhollow"],
      ["Garduna SAC RUC 20999999991", "garduna"],
      ["Verdano S.A.S. NIT 900.555.123-4", "verdano"],
      ["Halvard Works Attn. Mr Rao", "halvard works"]
    ] as const) {
      assert.strictEqual(tokens(name), words, name)
    }
  })

  it("marks placeholders, forwarders, numbers and names that were cut", () => {
    for (const name of [
      "TO ORDER",
      "To the order of Sample Bank",
      "SAME AS CONSIGNEE",
      "N/A",
      "n.a.",
      "NO DISPONIBLE",
      "VARIOS",
      "A LA ORDEN",
      "НЕ УКАЗАН",
      "不详"
    ]) {
      assert.isTrue(TraderName.read(name).placeholder, name)
      assert.deepStrictEqual(TraderName.read(name).tokens, [], name)
    }
    for (const name of ["Ordermore Foods", "Samesta SA", "Variosa Ltda", "Nadia Foods"]) {
      assert.isFalse(TraderName.read(name).placeholder, name)
    }
    assert.isTrue(TraderName.read("Speedline Freight Forwarders Inc").forwarder)
    assert.isFalse(TraderName.read("Lumenfold Optics").forwarder)
    assert.deepStrictEqual(TraderName.read("Factory No. 012 of 3M Belka 2000").numbers, ["12", "3", "2000"])
    assert.isTrue(TraderName.read("WILLOMERE-SONATA SINGAPORE PTE LIMI").cut)
    assert.strictEqual(tokens("WILLOMERE-SONATA SINGAPORE PTE LIMI"), "willomere sonata singapore")
    assert.isFalse(TraderName.read("Willomere-Sonata Singapore Private Limited").cut)
    assert.isTrue(TraderName.read("Willomere", 10).cut)
  })
})

interface OrgType {
  readonly aliases: ReadonlyArray<string>
  readonly display?: string
}

const orgTypes = process.env["LADING_TEST_ORG_TYPES"] ?? ""

/** A name in the script of an alias. */
const nameFor = (alias: string): readonly [script: string, name: string] => {
  if (/\p{Script=Latin}/u.test(alias)) return ["Latin", "Quillmere"]
  if (/\p{Script=Cyrillic}/u.test(alias)) return ["Cyrillic", "Квилмер"]
  return /\p{Script=Han}|\p{Script=Hangul}/u.test(alias)
    ? ["Chinese, Japanese, Korean", "霖湖"]
    : ["other", "Quillmere"]
}

/** Least share of the aliases in a script that have to be recognised. */
const least: Readonly<Record<string, number>> = {
  Latin: 0.88,
  Cyrillic: 0.5,
  "Chinese, Japanese, Korean": 0.9,
  other: 0.5
}

describe("LegalForms", () => {
  it("recognises most aliases of a published list", ({ skip }) => {
    skip(!existsSync(orgTypes), "LADING_TEST_ORG_TYPES names no file: a JSON list of { aliases, display? }")
    const list: ReadonlyArray<OrgType> = JSON.parse(readFileSync(orgTypes, "utf8"))
    const counts = new Map<string, { all: number; found: number }>()
    for (const { aliases, display } of list) {
      for (const alias of new Set([...aliases, ...(display === undefined ? [] : [display])])) {
        const [script, name] = nameFor(alias)
        const found = [`${name} ${alias}`, `${alias} ${name}`].some((text) => {
          const read = TraderName.read(text)
          return read.tokens.join(" ") === NameWords.of(name).join(" ") && read.legal.length > 0
        })
        const count = counts.get(script) ?? { all: 0, found: 0 }
        counts.set(script, { all: count.all + 1, found: count.found + Number(found) })
      }
    }
    assert.isAbove(counts.get("Latin")?.all ?? 0, 1000)
    for (const [script, { all, found }] of counts) {
      const said = `${script}: ${found} of ${all} (${((100 * found) / all).toFixed(1)} %)`
      console.log(said)
      assert.isAtLeast(found / all, least[script] ?? 0, said)
    }
  })
})
