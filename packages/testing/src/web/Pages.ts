/**
 * A little web in memory for tests of finders: the site of an invented company, a directory that lists it among others, and
 * pages that have nothing to do with it. Whatever stands on them is in `PageReader`'s words.
 */
import type { PageReader } from "@lading/core/contact"
import type { Listed } from "./SearchIndex.ts"

const none: PageReader.SocialLinks = {
  linkedin_url: null,
  twitter_url: null,
  facebook_url: null,
  crunchbase_url: null,
  instagram_url: null
}

/** A page that says nothing but what is given. */
export const page = (given: Partial<PageReader.Page> & Pick<PageReader.Page, "url">): PageReader.Page => ({
  status: 200,
  title: null,
  language: "en",
  text: "",
  links: [],
  emails: [],
  phones: [],
  social_links: none,
  ...given
})

/** Who is looked for. */
export const sought = { name: "NORDHAVN MARITIME A/S", domain: "nordhavn.example", country: "DK" }

/** Nobody's. */
export const unknown = { name: "ZZYXOMA PREFABS LTDA", domain: null, country: "BR" }

const lines = (...text: ReadonlyArray<string>) => text.join("\n")

export const home = page({
  url: "https://nordhavn.example/",
  title: "Nordhavn Maritime",
  text: lines("Nordhavn Maritime", "Ropes and anchors", "info@nordhavn.example"),
  emails: ["info@nordhavn.example"]
})

/** Not linked to from anywhere: an engine knows it. */
export const kontakt = page({
  url: "https://nordhavn.example/kontakt",
  title: "Kontakt - Nordhavn Maritime",
  text: lines("Skriv til os", "salg@nordhavn.example", "Tlf. 32 12 34 56", "studio@agency.example"),
  emails: ["salg@nordhavn.example", "studio@agency.example"],
  phones: ["+45 32 12 34 56"],
  social_links: { ...none, linkedin_url: "https://www.linkedin.com/company/nordhavn-maritime" }
})

/** Lists others above and below. */
export const directory = page({
  url: "https://directory.example/maritime",
  title: "Maritime suppliers",
  text: lines(
    "Aalund Marine ApS",
    "post@aalund.example",
    "Tlf. 33 11 22 33",
    "-",
    "-",
    "-",
    "Nordhavn Maritime A/S",
    "Kajvej 1, Copenhagen",
    "Telefon: 32 12 34 50",
    "nordhavn@postbox.example",
    "-",
    "-",
    "-",
    "-",
    "-",
    "Zephyr Sails",
    "hello@zephyr.example",
    "Tlf. 33 44 55 66"
  ),
  emails: ["post@aalund.example", "nordhavn@postbox.example", "hello@zephyr.example"],
  phones: ["+45 33 11 22 33", "+45 32 12 34 50", "+45 33 44 55 66"],
  social_links: { ...none, facebook_url: "https://www.facebook.com/thedirectory" }
})

/** Of somebody else with one of the words in the name. */
export const stranger = page({
  url: "https://stranger.example/contact",
  title: "Nordhavn Coffee",
  text: lines("Nordhavn Coffee", "beans@stranger.example"),
  emails: ["beans@stranger.example"]
})

export const all: ReadonlyArray<PageReader.Page> = [home, kontakt, directory, stranger]

/** What an engine knows of them; some lead nowhere, or to what nobody may ask. */
export const index: ReadonlyArray<Listed> = [
  ...[directory, kontakt, stranger].map(({ text, title, url }) => ({
    url,
    title: title ?? "",
    content: `Nordhavn Maritime ${text}`
  })),
  ...[
    "https://nordhavn.example/kontakt#top",
    "https://www.linkedin.com/company/nordhavn-maritime",
    "http://127.0.0.1/nordhavn",
    "http://169.254.169.254/latest/meta-data/",
    "https://gone.example/nordhavn",
    "https://papers.example/nordhavn.pdf"
  ].map((url) => ({ url, title: "Nordhavn Maritime", content: "" }))
]
