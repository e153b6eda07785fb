import { assert, it } from "@effect/vitest"
import * as CompanyName from "./CompanyName.ts"

it("loses its legal form in any script, before and after", () => {
  for (const [bare, ...names] of [
    [
      "ノルドヴィク",
      "株式会社ノルドヴィク",
      "ノルドヴィク株式会社",
      "㈱ノルドヴィク",
      "(株) ノルドヴィク",
      "有限会社ノルドヴィク"
    ],
    ["诺德维克", "诺德维克有限公司", "诺德维克股份有限公司", "诺德维克 有限责任公司"],
    ["노르드빅", "주식회사 노르드빅", "노르드빅주식회사", "㈜노르드빅"],
    ["ромашка", "ООО «Ромашка»", "Ромашка, ООО", "ОАО Ромашка", "ЗАО Ромашка", "ПАО Ромашка", "АО Ромашка"],
    ["نوردفيك", "شركة نوردفيك"],
    ["nordvik", "Nordvik Sp. z o.o.", "NORDVIK SP Z O.O.", "Nordvik Sp. z o. o.", "Nordvik A/S", "Nordvik S.A."]
  ] as const) {
    for (const name of names) assert.deepStrictEqual(CompanyName.tokens(name), [bare], name)
  }
})

it("that is nothing but a legal form keeps it", () => {
  for (const name of ["株式会社", "ООО", "SE", "有限公司"]) assert.lengthOf(CompanyName.tokens(name), 1, name)
  assert.isFalse(CompanyName.alike("株式会社", "有限会社"))
  assert.isFalse(CompanyName.alike("株式会社ノルドヴィク", "株式会社スドヴィク"))
  assert.isFalse(CompanyName.alike("ООО Ромашка", "ООО Василёк"))
})

it("is alike in every spelling of its letters", () => {
  assert.isTrue(CompanyName.alike("Müller GmbH", "Mueller"))
  assert.isTrue(CompanyName.alike("Ørsted A/S", "Orsted"))
  assert.isFalse(CompanyName.alike("Müller GmbH", "Möller GmbH"))
})

it("that has no words, or is in another script, cannot be judged", () => {
  assert.isTrue(CompanyName.alike("!!!", "Acme"))
  assert.isTrue(CompanyName.alike("Ромашка", "Romashka"))
  assert.isTrue(CompanyName.alike("株式会社ノルドヴィク", "Nordvik"))
  assert.isFalse(CompanyName.alike("Ромашка", "Василёк"))
})

it("takes time in proportion to the names", () => {
  const words = Array.from({ length: 50_000 }, (_, index) => `w${index}`).join(" ")
  const started = performance.now()
  assert.isTrue(CompanyName.alike(words, `${words} x`))
  CompanyName.tokens("a.".repeat(200_000))
  assert.isBelow(performance.now() - started, 2_000)
})
