/**
 * The text of a reply as plain words, so that phrases can be compared with it: lower case, without accents, without codes,
 * addresses, IPs, hosts and queue ids. `550-5.1.1 <a@b.example>: User unknown; see https://mx.example/?p=NoSuchUser` gives
 * `user unknown . no such user . @mx @example`.
 *
 * - `.` is the end of a sentence: a phrase never goes over it.
 * - `@name` is a part of the name of a host, or of the path of a URL. It is kept, since it may be the only trace of a block
 *   list, and marked, since names of hosts and of addresses are full of words that mean nothing here.
 * - What is written without blanks (Chinese, Japanese) is one word for each sign.
 * - A word with digits is kept for the phrases that name it (`as201806281`, `tss04`): `Classifier` drops the others.
 *
 * Gotcha: hosts choose what they say. No expression here looks back over what it has passed, and what is beyond `LENGTH`
 * is not read, so that the work is bounded.
 */

/** Characters that are read; ten lines of the longest that RFC 5321 allows are 5,120. */
const LENGTH = 4_096

/** A longer word is no word: a signature, a token. */
const WORD = 40

export const END = "."

const PLAIN: Readonly<Record<string, string>> = {
  ß: "ss",
  ł: "l",
  ø: "o",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ı: "i",
  ё: "е",
  "’": "'",
  "。": ". ",
  "；": "; "
}

/** Words written together or without their apostrophe. */
const SPELLED: Readonly<Record<string, ReadonlyArray<string>>> = {
  dont: ["not"],
  doesnt: ["not"],
  dosnt: ["not"],
  isnt: ["not"],
  wasnt: ["not"],
  cant: ["not"],
  cannot: ["not"],
  adress: ["address"],
  adresses: ["addresses"],
  exsist: ["exist"],
  exsists: ["exists"],
  unkown: ["unknown"],
  smtputf: ["smtputf8"]
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/
const MARKS = /\p{M}/gu
const SPECIAL = /[ßłøæœđıё’。；]/g
const ANGLES = /<[^<>]{0,400}>/g
const CAMEL = /(?<=[A-Za-z][a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})/g
const SIGN = /[\u3040-\u30ff\u3400-\u9fff]/
const SIGNS = /[\u3040-\u30ff\u3400-\u9fff]|[^\u3040-\u30ff\u3400-\u9fff]+/g
/** `AS(201806281)` is one ticket. */
const TICKET = /\b([A-Z]{2,4})\((\d{4,12})\)/g
const LETTERS = /[\p{L}\d]+/gu

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(MARKS, "")
    .toLowerCase()
    .replace(SPECIAL, (sign) => PLAIN[sign] ?? sign)

/** Lower case without accents: the form in which texts and phrases are compared. */
export const fold = (text: string): string => (ASCII.test(text) ? text.toLowerCase() : folded(text))

const isAddressOfNet = (piece: string): boolean =>
  /^[[(]?(?:ipv6:)?[0-9a-f:.]+[\]).,;]*$/i.test(piece) && /[:.].*[:.]/.test(piece)

const isHost = (piece: string): boolean => {
  if (!/^[\w-]+(?:\.[\w-]+)+$/.test(piece) || !/[a-z]/i.test(piece)) return false
  const labels = piece.split(".")
  const last = labels.at(-1) ?? ""
  // `RESOLVER.ADR.RecipientNotFound` is a name of a fault, and `unknown.Please` lacks a blank.
  return !/[A-Z][a-z]/.test(last)
}

const named = (host: string): ReadonlyArray<string> =>
  (fold(host).match(LETTERS) ?? []).filter((each) => each.length < WORD).map((each) => `@${each}`)

const plain = (piece: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const word of fold(piece.replace(CAMEL, " ")).match(LETTERS) ?? []) {
    if (SIGN.test(word)) found.push(...(word.match(SIGNS) ?? []))
    else if (word.length < WORD && !/^\d+$/.test(word)) found.push(...(SPELLED[word] ?? [word]))
  }
  return found
}

/** `e-mail`, `E-Mail-Adresse` and `e-mailadres` are written as one word by others. */
const joined = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all: Array<string> = []
  for (const word of words) {
    if (all.at(-1) === "e" && word.startsWith("mail")) all[all.length - 1] = `e${word}`
    else all.push(word)
  }
  return all
}

interface Found {
  readonly words: Array<string>
  readonly names: Array<string>
}

const readUrl = (url: string, into: Found): void => {
  const said = /[?&]p=([A-Za-z]{1,40})/.exec(url)?.[1]
  if (said !== undefined) into.words.push(END, ...plain(said), END)
  into.names.push(...named(url.replace(/^[a-z]+:\/\//i, "").replace(/[?#].*$/, "")))
}

const readChunk = (chunk: string, into: Found): void => {
  if (/^[("']*(?:https?|ftp):\/\//i.test(chunk) || chunk.startsWith("www.")) return readUrl(chunk, into)
  if (isAddressOfNet(chunk)) return
  for (const piece of chunk.split(/[(),:="/|[\]{}]/)) {
    const whole = piece.replace(/[.!?;]{1,8}$/, "")
    if (whole.includes("@")) continue
    if (isHost(whole)) into.names.push(...named(whole))
    else into.words.push(...plain(whole.replace(/n['’]t\b/i, " not")))
    if (whole !== piece) into.words.push(END)
  }
}

/** The words of a text, those of hosts last. */
export const of = (text: string): ReadonlyArray<string> => {
  const found: Found = { words: [], names: [] }
  const spaced = text
    .slice(0, LENGTH)
    .replaceAll(/[。；]/g, ". ")
    .replace(ANGLES, " ")
    .replace(TICKET, "$1$2")
    .replace(/IPv([46])/g, "ipv$1")
  for (const chunk of spaced.split(/\s+/)) if (chunk !== "") readChunk(chunk, found)
  return [...joined(found.words), END, ...found.names]
}

const CODE = /^[#([<'"]{0,3}([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])/

/** The first code of RFC 3463 in a text that fits the basic code. Some write it as `#5.1.1`, or quote that of another host. */
export const enhanced = (code: number, text: string): string | null => {
  for (const chunk of text.slice(0, LENGTH).split(/[\s-]+/)) {
    const match = CODE.exec(chunk)
    if (match !== null && match[1] === String(code)[0]) return `${match[1]}.${match[2]}.${match[3]}`
  }
  return null
}
