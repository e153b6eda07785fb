import { assert, describe, it } from "@effect/vitest"
import * as PersonName from "./PersonName.ts"

const all = (
  judge: (a: string, b: string) => boolean,
  expected: boolean,
  pairs: ReadonlyArray<readonly [string, string]>
) => {
  for (const [a, b] of pairs) {
    assert.strictEqual(judge(a, b), expected, `${a} / ${b}`)
    assert.strictEqual(judge(b, a), expected, `${b} / ${a}`)
  }
}

describe("family names", () => {
  it("that have only a particle or a suffix in common are two", () => {
    all(PersonName.sameFamily, false, [
      ["O'Brien", "O'Neill"],
      ["O’Brien", "O'Neill"],
      ["D'Angelo", "D'Amico"],
      ["de Souza", "de Lima"],
      ["van der Berg", "van der Meer"],
      ["al-Hassan", "al-Saud"],
      ["St. John", "St. Clair"],
      ["Mc Donald", "Mc Carthy"],
      ["Smith Jr.", "Jones Jr."],
      ["Smith III", "Jones III"],
      ["Dr. Ellison", "Dr. Berg"],
      ["Ellison", "Berg"]
    ])
  })

  it("with and without particle, suffix, title or one half of a double name are one", () => {
    all(PersonName.sameFamily, true, [
      ["van der Berg", "Berg"],
      ["de Souza", "Souza"],
      ["Ellison-Berg", "Ellison"],
      ["Smith Jr.", "Smith"],
      ["Ellison, PhD", "Ellison"],
      ["O'Brien", "OBrien"],
      ["O’Brien", "Ó Brien"],
      ["O Brien", "O'Brien"],
      ["Mac Donald", "MacDonald"],
      ["D'Angelo", "DAngelo"]
    ])
  })

  it("that are nothing but particles are still names", () => {
    all(PersonName.sameFamily, true, [
      ["Le", "LE"],
      ["Do", "Do"]
    ])
    all(PersonName.sameFamily, false, [
      ["Le", "Do"],
      ["Van", "Ellison"]
    ])
  })

  it("are one in every spelling of their letters", () => {
    all(PersonName.sameFamily, true, [
      ["Müller", "Mueller"],
      ["Müller", "Muller"],
      ["Weiß", "Weiss"],
      ["Ørsted", "Orsted"],
      ["Ørsted", "Oersted"],
      ["Łukaszewicz", "Lukaszewicz"],
      ["Sørensen", "Sorensen"],
      ["Æbelø", "Aebelo"],
      ["Œuvrard", "Oeuvrard"],
      ["Þórsson", "Thorsson"],
      ["Đorđević", "Dordevic"],
      ["Işık", "Isik"]
    ])
  })

  it("in two scripts, or of nothing, cannot be judged", () => {
    all(PersonName.sameFamily, true, [
      ["Вебер", "Weber"],
      ["", "Ellison"],
      ["—", "Ellison"]
    ])
    all(PersonName.sameFamily, false, [["Вебер", "Иванов"]])
  })

  it("take bounded time, however long", () => {
    const started = performance.now()
    PersonName.sameFamily("a'".repeat(1_000_000), "b ".repeat(1_000_000))
    PersonName.sameGiven("ü ".repeat(1_000_000), "ö ".repeat(1_000_000))
    assert.isBelow(performance.now() - started, 1_000)
  })
})

describe("given names", () => {
  it("agree by beginning, initial, any of several, title apart, and nickname", () => {
    all(PersonName.sameGiven, true, [
      ["Rob", "Robert"],
      ["M.", "Mara"],
      ["Mary Ann", "Ann"],
      ["J. Michael", "Michael"],
      ["Dr. Mara", "Mara"],
      ["Prof. Dr. Mara", "M."],
      ["Frau Mara", "Mara"],
      ["Robert", "Bob"],
      ["Bill", "William"],
      ["Łukasz", "Lukasz"],
      ["Søren", "Soeren"],
      ["太郎", "Taro"],
      ["", "Mara"],
      ["Dr.", "Mara"]
    ])
  })

  it("that share nothing are two, an initial that is not the first included", () => {
    all(PersonName.sameGiven, false, [
      ["Mara", "Tom"],
      ["Dr. Mara", "Dr. Tom"],
      ["John M.", "Mara"],
      ["Robert", "Bill"],
      ["O.", "Mara"]
    ])
  })
})
