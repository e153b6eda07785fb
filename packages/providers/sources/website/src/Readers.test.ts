/** What is read out of a page's text and links: numbers, mail addresses, pages on networks, years, addresses. */
import { assert, describe, it } from "@effect/vitest"
import * as Founding from "./Founding.ts"
import * as Mails from "./Mails.ts"
import * as NextPages from "./NextPages.ts"
import * as Phones from "./Phones.ts"
import * as PostalAddress from "./PostalAddress.ts"
import * as Profiles from "./Profiles.ts"
import * as Region from "./Region.ts"

describe("Phones", () => {
  const numbers = (text: string, country: string | null = "GB", hrefs: ReadonlyArray<string> = []) =>
    Phones.numbers(Phones.candidates(hrefs, text), country)

  it("takes links, international numbers, and numbers behind a word for them", () => {
    assert.deepStrictEqual(
      numbers("", "GB", ["tel:+442079460071", "tel:%2B44%2020%207946%200072", "mailto:x@y.example"]),
      ["+44 20 7946 0071", "+44 20 7946 0072"]
    )
    for (const [text, country] of [
      ["Call us: 020 7946 0071", "GB"],
      ["Tel. 020 7946 0071", "GB"],
      ["Telefon: +44 (0)20 7946 0071", "DE"],
      ["T +44 20 79460071", null],
      ["+44-20-7946-0071", null],
      ["0044 20 7946 0071", null],
      ["Phone:\u00a0020\u00a07946\u00a00071", "GB"]
    ] as const) {
      assert.deepStrictEqual(numbers(text, country), ["+44 20 7946 0071"], text)
    }
    assert.deepStrictEqual(numbers("Tel: 030 23125 123", "DE"), ["+49 30 23125123"])
    assert.deepStrictEqual(numbers("电话：010 1234 5678".replace("：", ": "), "CN"), ["+86 10 1234 5678"])
  })

  it("takes neither a fax nor digits that are something else", () => {
    for (const text of [
      "Fax: +44 20 7946 0071",
      "Telefax: 020 7946 0071",
      "F: 020 7946 0071",
      "VAT 020 7946 0071",
      "Org.nr 987 654 321",
      "01.01.2020 - 31.12.2020",
      "Invoice 2020 7946 0071",
      "IBAN GB29 NWBK 6016 1331 9268 19",
      "+1",
      "tel: 12",
      "Tel: 99999999999999999999999"
    ]) {
      assert.deepStrictEqual(numbers(text), [], text)
    }
    // Without a country nobody knows where it is.
    assert.deepStrictEqual(numbers("Tel: 020 7946 0071", null), [])
  })

  it("gives each number once, however often and however it is written", () => {
    assert.deepStrictEqual(numbers("Tel: 020 7946 0071\nPhone: +44 20 7946 0071", "GB", ["tel:02079460071"]), [
      "+44 20 7946 0071"
    ])
  })
})

describe("Mails", () => {
  it("takes links with whatever is behind them, several in one, and addresses in the text", () => {
    assert.deepStrictEqual(
      Mails.addresses(
        [
          "mailto:Info@Acme.example?subject=Hi",
          "MAILTO:a@acme.example,b@acme.example;",
          "mailto:%63@acme.example",
          "mailto:"
        ],
        "Write to sales@acme.example. Or <office@acme.example>, (press@acme.example)"
      ),
      [
        "info@acme.example",
        "a@acme.example",
        "b@acme.example",
        "c@acme.example",
        "sales@acme.example",
        "office@acme.example",
        "press@acme.example"
      ]
    )
  })

  it("takes no pictures, no handles and nothing that is hidden from robots", () => {
    assert.deepStrictEqual(
      Mails.addresses(
        ["mailto:%E0%A4%A", "mailto:x", "/cdn-cgi/l/email-protection#a1b2"],
        "logo@2x.png @acme info [at] acme.example a@b user@localhost npm i lib@1.2.3"
      ),
      []
    )
  })
})

describe("Profiles", () => {
  it("takes pages of companies in the form in which they are compared", () => {
    assert.deepStrictEqual(
      Profiles.links([
        "https://no.linkedin.com/company/Acme-Example/?trk=x",
        "https://x.com/acme_example",
        "https://www.facebook.com/acme.example/",
        "http://instagram.com/acme.example",
        "https://crunchbase.com/organization/acme-example"
      ]),
      {
        linkedin_url: "https://www.linkedin.com/company/acme-example",
        twitter_url: "https://www.twitter.com/acme_example",
        facebook_url: "https://www.facebook.com/acme.example",
        instagram_url: "https://www.instagram.com/acme.example",
        crunchbase_url: "https://www.crunchbase.com/organization/acme-example"
      }
    )
  })

  it("takes no buttons, no posts, no people and no other hosts", () => {
    for (const url of [
      "https://www.linkedin.com/shareArticle?url=x",
      "https://www.linkedin.com/in/mara-ellison",
      "https://www.linkedin.com/company/acme/posts",
      "https://www.linkedin.com.evil.example/company/acme",
      "https://twitter.com/intent/tweet?text=x",
      "https://twitter.com/share",
      "https://twitter.com/acme/status/1",
      "https://www.facebook.com/sharer/sharer.php?u=x",
      "https://www.facebook.com/sharer.php?u=x",
      "https://www.facebook.com/events",
      "https://www.instagram.com/p/abc",
      "https://www.instagram.com/explore",
      "https://www.crunchbase.com/person/somebody",
      "javascript:alert('linkedin.com/company/acme')"
    ]) {
      assert.isFalse(Profiles.isProfile(url), url)
    }
  })
})

describe("Founding", () => {
  const year = (text: string) => Founding.sentences(text).map(Founding.yearOf)

  it("reads the year that a company says it was founded in", () => {
    for (const text of [
      "Acme was founded in 1999.",
      "Founded 1999",
      "Established in the spring of 1999 in Oslo",
      "Gegründet 1999",
      "Im Jahr 1999 in Berlin gegründet",
      "Fondée en 1999",
      "Selskapet ble stiftet i 1999",
      "Fundada en 1999 por dos hermanas",
      "成立于1999年"
    ]) {
      assert.deepStrictEqual(year(text), [1999], text)
    }
  })

  it("reads no year of anything else", () => {
    for (const text of [
      "Serving customers since 1999",
      "© 1999-2024 Acme",
      "Founded by two sisters. In 1999 they moved.",
      "Founded with 1500000 euros",
      "unfounded 1999",
      "The fund was closed in 1999",
      "Founded in 3999",
      `Founded ${"x".repeat(500)} 1999`
    ]) {
      assert.deepStrictEqual(
        year(text).filter((one) => one !== null),
        [],
        text
      )
    }
  })

  it("reads dates as schema.org writes them", () => {
    for (const text of ["1999", "1999-04", "1999-04-02", "1999-04-02T00:00:00Z", " 1999 "])
      assert.strictEqual(Founding.yearOfDate(text), 1999)
    for (const text of ["", "99", "April 1999", "19990402", "1999-4"]) assert.isNull(Founding.yearOfDate(text), text)
  })
})

describe("PostalAddress", () => {
  it("reads forms that leave no doubt", () => {
    assert.deepStrictEqual(PostalAddress.read(["Acme GmbH", "Musterstraße 7", "D-10115 Berlin", "Germany"]), {
      full_address: "Musterstraße 7, D-10115 Berlin, Germany",
      city: "Berlin",
      state: null,
      postal_code: "10115",
      country: "Germany",
      country_code: "DE"
    })
    for (const [lines, city, postal, code] of [
      [["4 Example Yard", "London EC1A 1AA"], "London", "EC1A 1AA", "GB"],
      [["100 Example Avenue, New York, NY 10001"], "New York", "10001", "US"],
      [["9 rue de l’Exemple", "75002 Paris", "France"], "Paris", "75002", "FR"],
      [["Exempelgatan 3, 111 22 Stockholm, Sweden"], "Stockholm", "111 22", "SE"],
      [["Voorbeeldstraat 5", "1017 AB Amsterdam", "Netherlands"], "Amsterdam", "1017 AB", "NL"],
      [["Eksempelgata 12", "0150 Oslo"], "Oslo", "0150", null]
    ] as const) {
      const read = PostalAddress.read(lines)
      assert.deepStrictEqual(
        [read?.city, read?.postal_code, read?.country_code],
        [city, postal, code],
        lines.join("; ")
      )
    }
  })

  it("reads none where there is doubt", () => {
    for (const lines of [
      [],
      ["Berlin"],
      ["10115 Berlin"],
      ["Annual Report", "2020 Conference"],
      ["info@acme.example", "10115 Berlin"],
      ["Tel: 030 23125123", "10115 Berlin"],
      ["Street 1"],
      ["x".repeat(1_000), "10115 Berlin"]
    ]) {
      assert.isNull(PostalAddress.read(lines), lines.join("; "))
    }
  })

  it("finds them in a text", () => {
    const text = "Imprint\nAcme GmbH\nMusterstraße 7\n10115 Berlin\nGermany\nTel: 1"
    assert.deepStrictEqual(PostalAddress.candidates(text), [["Musterstraße 7", "10115 Berlin", "Germany"]])
    const line = "Visit us at Musterstraße 7, 10115 Berlin, Germany"
    assert.deepStrictEqual(PostalAddress.candidates(line), [[line]])
  })
})

describe("NextPages", () => {
  const home = new URL("https://www.acme.example/")
  const anchor = (href: string, text = "") => ({ href, text, rel: "" })
  const choose = (...anchors: ReadonlyArray<ReturnType<typeof anchor>>) =>
    NextPages.choose(anchors, home, home, 4).map(({ pathname }) => pathname)

  it("takes one of each kind first, in the languages of most sites", () => {
    assert.deepStrictEqual(
      choose(anchor("/products"), anchor("/ueber-uns"), anchor("/impressum"), anchor("/kontakt"), anchor("/blog")),
      ["/kontakt", "/impressum", "/ueber-uns"]
    )
    assert.deepStrictEqual(
      choose(anchor("/p/17", "Om oss"), anchor("/p/18", "Kontakt oss"), anchor("/p/19", "Nyheter")),
      ["/p/18", "/p/17"]
    )
    assert.deepStrictEqual(choose(anchor("/a", "会社概要"), anchor("/b", "お問い合わせ")), ["/b", "/a"])
  })

  it("takes at most four, each once, and never the home page", () => {
    const many = Array.from({ length: 50 }, (_, at) => anchor(`/contact/${at}`, "Contact"))
    assert.strictEqual(choose(...many).length, 4)
    assert.deepStrictEqual(
      choose(
        anchor("/contact#a"),
        anchor("contact#b"),
        anchor("https://www.acme.example/contact"),
        anchor("/", "Contact")
      ),
      ["/contact"]
    )
  })

  it("takes no other owner's page, no other scheme, no file, and no word that only looks like one", () => {
    assert.deepStrictEqual(
      choose(
        anchor("https://other.example/contact"),
        anchor("mailto:contact@acme.example", "Contact"),
        anchor("javascript:contact()", "Contact"),
        anchor("http://www.acme.example:8080/contact"),
        anchor("https://user@www.acme.example/contact"),
        anchor("/contact.pdf"),
        anchor("/contactless-payment"),
        anchor("/products/company-cars/model", ""),
        anchor("http://[", "Contact"),
        anchor(`/contact/${"x".repeat(300)}`)
      ).filter((path) => path !== "/products/company-cars/model"),
      []
    )
    assert.deepStrictEqual(choose(anchor("https://shop.acme.example/contact"), anchor("/contact")), [
      "/contact",
      "/contact"
    ])
  })
})

describe("Region", () => {
  it("is that of the domain, else of the language; endings that everybody uses tell nothing", () => {
    assert.strictEqual(Region.ofPage("en-GB", null, "acme.no"), "NO")
    assert.strictEqual(Region.ofPage("en", null, "acme.co.uk"), "GB")
    assert.strictEqual(Region.ofPage("nb-NO", null, "acme.example"), "NO")
    assert.strictEqual(Region.ofPage("en", "de_AT", "acme.io"), "AT")
    for (const [language, host] of [
      ["en-US", "acme.example"],
      ["en", "acme.com"],
      [null, "acme.io"],
      ["x-klingon", "acme.ai"]
    ] as const) {
      assert.isNull(Region.ofPage(language, null, host), host)
    }
  })
})

it("takes a moment for texts that are made to take long", () => {
  const length = 500_000
  for (const piece of [
    "1",
    "1 ",
    "tel: 12345678 ",
    "(",
    "a@",
    "@",
    "a",
    "a@a.",
    "founded ",
    "1999 ",
    "Aaaaa ",
    ", ",
    "\n",
    "é",
    "10115 B'B'B'\n"
  ]) {
    const text = piece.repeat(length / piece.length)
    const started = performance.now()
    Phones.candidates([text], text)
    Mails.addresses([text], text)
    Founding.sentences(text)
    PostalAddress.candidates(text).map(PostalAddress.read)
    assert.isBelow(performance.now() - started, 4_000, JSON.stringify(piece))
  }
})
