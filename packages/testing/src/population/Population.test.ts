import { assert, describe, it } from "@effect/vitest"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import * as Population from "./index.ts"

const { standard } = Population
const companies = Array.from({ length: standard.companies }, (_, index) => standard.company(index))
const people = companies.flatMap(standard.peopleOf)
const nordvik = standard.company(0)
const vendors = Array.from({ length: 50 }, (_, seed) => seed)

describe("Population", () => {
  it("is a pure function of its seed", () => {
    assert.deepStrictEqual(Population.make(1).company(17), standard.company(17))
    assert.deepStrictEqual(Population.make(1).peopleOf(nordvik), standard.peopleOf(nordvik))
    assert.notDeepEqual(Population.make(2).company(17), standard.company(17))
  })

  it("has companies on distinct domains that are reserved, marked as synthetic", () => {
    assert.strictEqual(
      new Set(companies.flatMap((one) => [one.domain, ...one.aliases])).size,
      companies.flatMap((one) => [one.domain, ...one.aliases]).length
    )
    for (const one of companies) {
      assert.match(one.domain, /^[a-z0-9]+(-[a-z0-9]+)*\.example$/)
      assert.match(one.description, /^Synthetic company for demonstrations\./)
      for (const email of one.emails) assert.isTrue(email.endsWith(`@${one.domain}`))
    }
  })

  it("uses telephone numbers of ranges kept for fiction only, that validate", () => {
    const fictional =
      /^\+(442079460\d{3}|493023125\d{3}|3319900\d{4}|468465004\d{2}|6125550\d{4}|1(212|312)55501\d{2}|467017406(0[5-9]|[1-9]\d))$/
    for (const number of [
      ...companies.flatMap((one) => one.phones),
      ...people.flatMap((one) => one.phones.map((p) => p.number))
    ]) {
      assert.match(number, fictional)
      assert.isTrue(parsePhoneNumberFromString(number)?.isValid(), number)
    }
  })

  it("finds everybody by name and domain, whatever the case and the marks, and by address", () => {
    for (const person of people) {
      const found = standard.personBy(person.first_name.toUpperCase(), person.last_name, person.company.domain)
      assert.deepStrictEqual(found, person)
      assert.strictEqual(standard.personByEmail(person.work_email.toUpperCase())?.work_email, person.work_email)
      assert.match(person.work_email, /^[a-z]+(\.[a-z]+)?@/)
    }
    assert.strictEqual(standard.personBy("Renee", "x", "nowhere.example"), null)
  })

  it("gives no address to two people", () => {
    const emails = people.map((person) => person.work_email)
    assert.strictEqual(new Set(emails).size, emails.length)
  })

  it("has jobs without gaps, the present one first", () => {
    for (const { jobs, company } of people) {
      assert.strictEqual(jobs[0].company_domain, company.domain)
      assert.isNull(jobs[0].end)
      jobs.slice(1).forEach((job, index) => assert.strictEqual(job.end, jobs[index]?.start))
    }
  })

  it("finds a company by domain, alias, name and legal name", () => {
    assert.strictEqual(standard.companyByDomain("www.Nordvik-Robotics.example"), nordvik)
    assert.strictEqual(standard.companyByDomain(nordvik.aliases[0] ?? ""), nordvik)
    assert.strictEqual(standard.companyByName("nordvik robotics"), nordvik)
    assert.strictEqual(standard.companyByName("Nordvik Robotics AS"), nordvik)
    assert.isNull(standard.companyByDomain("nowhere.example"))
  })

  it("every vendor knows Nordvik Robotics and Mara Ellison, with her work address", () => {
    const mara = standard.personBy("Mara", "Ellison", "nordvik-robotics.example")
    assert.strictEqual(mara?.title, "Head of Procurement")
    for (const vendor of vendors) {
      assert.isNotNull(Population.viewCompany(vendor, nordvik)?.employees)
      const view = mara === null ? null : Population.viewPerson(vendor, mara)
      for (const { number } of view?.phones ?? []) assert.isTrue(parsePhoneNumberFromString(number)?.isValid(), number)
      assert.strictEqual(view?.work_email, "mara.ellison@nordvik-robotics.example")
    }
  })

  it("vendors differ in whom they know, in what they know and in how they spell it", () => {
    const known = (vendor: number) => companies.filter((one) => Population.viewCompany(vendor, one) !== null)
    for (const vendor of vendors.slice(0, 5)) assert.isTrue(known(vendor).length > 130 && known(vendor).length < 190)
    assert.notDeepEqual(known(1), known(2))
    const views = vendors.map((vendor) => Population.viewCompany(vendor, nordvik))
    const different = (read: (view: Population.CompanyView) => unknown) =>
      new Set(views.map((view) => JSON.stringify(view === null ? null : read(view)))).size
    assert.strictEqual(
      different((view) => view.name),
      3
    )
    assert.strictEqual(
      different((view) => view.website),
      4
    )
    assert.isTrue(different((view) => view.employees) > 10)
    assert.isTrue(different((view) => view.technologies) > 5)
    assert.isTrue(different((view) => view.hq) === 2)
  })
})
