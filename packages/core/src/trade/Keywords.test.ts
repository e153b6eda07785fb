import { assert, describe, it } from "@effect/vitest"
import * as Keywords from "./Keywords.ts"

const cases: ReadonlyArray<readonly [language: string, text: string, keywords: ReadonlyArray<string>]> = [
  ["English", "FROZEN SHRIMPS, PEELED, 10 X 1 KG", ["frozen shrimp", "frozen", "shrimp", "peeled"]],
  [
    "English",
    "men's knitted cotton t-shirts, brand ORVELLO",
    ["knitted cotton t-shirt", "knitted cotton", "knitted", "cotton t-shirt", "cotton", "t-shirt"]
  ],
  ["English", "glass bottles and boxes of berries", ["glass bottle", "glass", "bottle", "berry"]],
  ["English", "10 BAGS LEATHER BAGS", ["leather bag", "leather", "bag"]],
  ["English", "rice in bags, tin ingots", ["rice", "tin ingot", "tin", "ingot"]],
  ["French", "maïs en grains", ["mais", "grain"]],
  ["Spanish", "Rodamientos de bolas 6204 2RS, marca TARVEK", ["rodamiento de bola", "rodamiento", "bola"]],
  ["Spanish", "CAMARONES CONGELADOS EN CAJAS DE 10 KG", ["camaron congelado", "camaron", "congelado"]],
  [
    "French",
    "Tôles d'acier galvanisé en bobines",
    ["tole d acier galvanise", "tole d acier", "tole", "acier galvanise", "acier", "galvanise"]
  ],
  ["French", "chaussures en cuir, 12 paires", ["chaussure", "cuir"]],
  [
    "Portuguese",
    "painéis solares fotovoltaicos de 450 W",
    ["painel solar fotovoltaico", "painel solar", "painel", "solar fotovoltaico", "solar", "fotovoltaico"]
  ],
  ["Portuguese", "CAMARÕES CONGELADOS COM CASCA", ["camarao congelado", "camarao", "congelado", "casca"]],
  ["German", "Kugellager für Wasserpumpen, 200 Stk", ["kugellager", "wasserpumpen"]],
  ["Italian", "olio di oliva in bottiglie", ["olio di oliva", "olio", "oliva", "bottiglie"]],
  ["Russian", "подшипники шариковые, 100 шт", ["подшипники шариковые", "подшипники", "шариковые", "шт"]]
]

describe("Keywords", () => {
  for (const [language, text, keywords] of cases) {
    it(`finds the products of "${text}" (${language})`, () => assert.deepStrictEqual(Keywords.of(text), keywords))
  }

  it("gives one keyword for one product, however it is written", () => {
    for (const text of ["Green COFFEE beans", "green coffee bean, 60 kg bags", "  GREEN  COFFEE BEANS (NEW)"]) {
      assert.include(Keywords.of(text), "green coffee bean")
    }
  })

  it("finds nothing where no product is named", () => {
    for (const text of ["", "   ", "12345", "10 X 20 KG", "SAID TO CONTAIN 1 CONTAINER", "!!!", "a", "no. 5/7"]) {
      assert.deepStrictEqual(Keywords.of(text), [], text)
    }
  })

  it("gives each keyword once and no more than its bound, in the order of the text", () => {
    const long = Array.from({ length: 200 }, (_, index) => `ware${"abcdefghij"[index % 10]}x`).join(" , ")
    assert.strictEqual(Keywords.of(long).length, 10)
    const many = Array.from({ length: 90 }, (_, index) =>
      String.fromCharCode(97 + (index % 26), 98 + Math.floor(index / 26), 99, 100)
    ).join(";")
    assert.strictEqual(Keywords.of(many).length, Keywords.most)
    assert.strictEqual(Keywords.of(many)[0], "abcd")
  })

  it("bears 100,000 letters of anything", () => {
    for (const text of [
      "a".repeat(100_000),
      `${"a".repeat(100_000)}1`,
      "'".repeat(100_000),
      "é".repeat(50_000),
      "a-".repeat(50_000),
      "d'".repeat(50_000)
    ]) {
      assert.isTrue(Keywords.of(text).length <= Keywords.most)
    }
  })
})
