/**
 * The words and places that the synthetic population is made of. Names are invented; telephone numbers are from ranges
 * that the regulators keep free for fiction, and that libphonenumber takes for valid.
 *
 * Gotcha: Norway keeps no such range, so Norwegian companies publish a British drama number, and every mobile is one of
 * the Swedish fictional ones (the British and French mobile ranges for fiction do not validate).
 */

/** A place with its own fictional range of fixed lines: `line` plus `digits` more digits. */
export interface Place {
  readonly city: string
  readonly state: string | null
  readonly postal_code: string
  readonly street: string
  readonly country: string
  readonly country_code: string
  readonly legal_form: string
  readonly line: { readonly prefix: string; readonly digits: number }
}

/** Ofcom, London: 020 7946 0xxx. */
const LONDON_LINE = { prefix: "+442079460", digits: 3 }

export const OSLO: Place = {
  city: "Oslo",
  state: null,
  postal_code: "0150",
  street: "Eksempelgata 12",
  country: "Norway",
  country_code: "NO",
  legal_form: "AS",
  line: LONDON_LINE
}

export const PLACES: readonly [Place, ...Array<Place>] = [
  OSLO,
  {
    city: "London",
    state: null,
    postal_code: "EC1A 1AA",
    street: "4 Example Yard",
    country: "United Kingdom",
    country_code: "GB",
    legal_form: "Ltd",
    line: LONDON_LINE
  },
  {
    city: "Berlin",
    state: "Berlin",
    postal_code: "10115",
    street: "Musterstraße 7",
    country: "Germany",
    country_code: "DE",
    legal_form: "GmbH",
    // Bundesnetzagentur: 030 23125 xxx.
    line: { prefix: "+493023125", digits: 3 }
  },
  {
    city: "Paris",
    state: "Île-de-France",
    postal_code: "75002",
    street: "9 rue de l’Exemple",
    country: "France",
    country_code: "FR",
    legal_form: "SAS",
    // ARCEP: 01 99 00 xx xx.
    line: { prefix: "+3319900", digits: 4 }
  },
  {
    city: "Stockholm",
    state: null,
    postal_code: "111 22",
    street: "Exempelgatan 3",
    country: "Sweden",
    country_code: "SE",
    legal_form: "AB",
    // PTS: 08-465 004 xx.
    line: { prefix: "+468465004", digits: 2 }
  },
  {
    city: "Sydney",
    state: "New South Wales",
    postal_code: "2000",
    street: "21 Sample Street",
    country: "Australia",
    country_code: "AU",
    legal_form: "Pty Ltd",
    // ACMA: 02 5550 xxxx.
    line: { prefix: "+6125550", digits: 4 }
  },
  {
    city: "New York",
    state: "New York",
    postal_code: "10001",
    street: "100 Example Avenue",
    country: "United States",
    country_code: "US",
    legal_form: "Inc.",
    // NANPA: 555-01xx.
    line: { prefix: "+121255501", digits: 2 }
  },
  {
    city: "Chicago",
    state: "Illinois",
    postal_code: "60601",
    street: "8 Placeholder Plaza",
    country: "United States",
    country_code: "US",
    legal_form: "LLC",
    line: { prefix: "+131255501", digits: 2 }
  }
]

/** PTS: 070-174 06 05 to 99. */
export const MOBILE = { prefix: "+467017406", first: 5, last: 99 }

export interface Trade {
  readonly word: string
  readonly industries: readonly [string, ...Array<string>]
  readonly keywords: ReadonlyArray<string>
}

export const ROBOTICS: Trade = {
  word: "Robotics",
  industries: ["Industrial Automation", "Machinery"],
  keywords: ["robot arms", "warehouse automation", "machine vision", "grippers", "palletising", "servo drives"]
}

export const TRADES: readonly [Trade, ...Array<Trade>] = [
  ROBOTICS,
  {
    word: "Foods",
    industries: ["Food & Beverages", "Wholesale"],
    keywords: ["frozen fish", "oat drinks", "spices", "private label", "cold chain", "bakery"]
  },
  {
    word: "Textiles",
    industries: ["Textiles", "Apparel & Fashion"],
    keywords: ["cotton yarn", "workwear", "knitwear", "linen", "dyeing", "recycled fibre"]
  },
  {
    word: "Logistics",
    industries: ["Logistics and Supply Chain", "Transportation"],
    keywords: ["freight forwarding", "customs clearance", "bonded warehouse", "last mile", "reefers", "groupage"]
  },
  {
    word: "Software",
    industries: ["Computer Software", "Information Technology and Services"],
    keywords: ["procurement software", "open source", "workflow", "data integration", "invoicing", "forecasting"]
  },
  {
    word: "Chemicals",
    industries: ["Chemicals"],
    keywords: ["solvents", "adhesives", "coatings", "resins", "water treatment", "pigments"]
  },
  {
    word: "Marine",
    industries: ["Maritime", "Shipbuilding"],
    keywords: ["hull coatings", "deck cranes", "ballast systems", "ropes", "ship repair", "fenders"]
  },
  {
    word: "Energy",
    industries: ["Renewables & Environment", "Utilities"],
    keywords: ["heat pumps", "solar inverters", "battery storage", "grid services", "biogas", "metering"]
  }
]

export const COMPANY_WORDS: readonly [string, ...Array<string>] = [
  "Halvern",
  "Brightquay",
  "Quillon",
  "Tesserine",
  "Marrowby",
  "Oakstride",
  "Vintara",
  "Lumenfold",
  "Kestrelmoor",
  "Pellworth",
  "Sandrovia",
  "Ferrowick",
  "Glimmerholt",
  "Orrin Vale",
  "Thistledown",
  "Corvanta",
  "Eastmere",
  "Wexalot",
  "Drumlin",
  "Hollowpine",
  "Silverfen",
  "Arbelline",
  "Northgable",
  "Cindermoss",
  "Tradewynd",
  "Bluefathom",
  "Marlstone",
  "Ravenscoop",
  "Juniperly",
  "Stillharbour",
  "Copperlane",
  "Ironpetal",
  "Velvetrail",
  "Orchardine",
  "Palisandre",
  "Windlebury",
  "Zephyrine",
  "Amberlock",
  "Fjordane",
  "Müllerhain"
]

export const TECHNOLOGIES: ReadonlyArray<string> = [
  "PostgreSQL",
  "Kubernetes",
  "React",
  "Node.js",
  "Google Analytics",
  "Cloudflare",
  "Salesforce",
  "HubSpot",
  "SAP",
  "WordPress",
  "nginx",
  "TypeScript",
  "Stripe",
  "Zendesk",
  "Grafana",
  "Redis"
]

export const FIRST_NAMES: readonly [string, ...Array<string>] = [
  "Ada",
  "Bjorn",
  "Clara",
  "Dario",
  "Elif",
  "Farid",
  "Greta",
  "Hugo",
  "Ines",
  "Jonas",
  "Keiko",
  "Lars",
  "Mina",
  "Noor",
  "Oscar",
  "Paula",
  "Quentin",
  "Renée",
  "Søren",
  "Talia",
  "Umar",
  "Vera",
  "Wanda",
  "Xenia",
  "Yusuf",
  "Zoë",
  "Mary Ann"
]

export const LAST_NAMES: readonly [string, ...Array<string>] = [
  "Abernale",
  "Brandvoll",
  "Castellmar",
  "Dunmorrow",
  "Eikeland-Voss",
  "Fairwhistle",
  "Grønnvik",
  "Hartensee",
  "Iversholm",
  "Jankowicz",
  "Kallstrand",
  "Lindqvarn",
  "Morrowgate",
  "Nakatomo",
  "O’Rellan",
  "Pemberlow",
  "Quistgard",
  "Rosenquill",
  "Strandholt",
  "Tavernier",
  "Ulvestad",
  "Van der Meeren",
  "Winterbourn",
  "Ysengard",
  "Zimmerlund"
]

export interface Role {
  readonly title: string
  readonly department: string
  readonly seniority: string
}

export const HEAD_OF_PROCUREMENT: Role = { title: "Head of Procurement", department: "Operations", seniority: "head" }

export const ROLES: readonly [Role, ...Array<Role>] = [
  { title: "Chief Executive Officer", department: "Executive", seniority: "c_level" },
  HEAD_OF_PROCUREMENT,
  { title: "VP Sales", department: "Sales", seniority: "vp" },
  { title: "Purchasing Manager", department: "Operations", seniority: "manager" },
  { title: "Senior Engineer", department: "Engineering", seniority: "senior" },
  { title: "Marketing Director", department: "Marketing", seniority: "director" },
  { title: "Logistics Coordinator", department: "Operations", seniority: "junior" },
  { title: "Finance Manager", department: "Finance", seniority: "manager" }
]

export const SCHOOLS: readonly [string, ...Array<string>] = [
  "Example University of Oslo",
  "Sample Institute of Technology",
  "Placeholder Business School",
  "University of Example Bay"
]

export const DEGREES: readonly [string, ...Array<string>] = ["Bachelor of Science", "Master of Science", "MBA"]

export const MAJORS: readonly [string, ...Array<string>] = [
  "Mechanical Engineering",
  "Supply Chain Management",
  "Economics",
  "Computer Science"
]
