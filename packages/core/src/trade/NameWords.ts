/**
 * The words of a trader's name, folded for comparing: without case, accents and punctuation, initials as one word
 * (`S.A.C.`, `S A C`, `A/S`), `&` as `and`. Letters of every script stay what they are, but for spellings that say the
 * same: traditional and simplified Chinese, the forms of alef.
 *
 * Gotcha: imports ask for hundreds of thousands of names a second, so words are cut by a loop and not by a pattern.
 */
import * as Text from "../value/Text.ts"

/** Traditional characters of company names, each before its simplified one. */
const twins = new Map(
  (
    "寧宁貿贸國国際际電电業业東东華华廣广實实進进發发機机龍龙鴻鸿達达興兴豐丰聯联環环萬万寶宝億亿紡纺織织飾饰鋼钢鐵铁銅铜車车輪轮門门開开關关馬马風风飛飞學学" +
    "藥药醫医農农產产貨货運运責责資资質质長长陽阳團团廠厂灣湾臺台島岛麗丽鵬鹏偉伟傑杰揚扬勝胜凱凯雙双圓圆園园橋桥樂乐榮荣歐欧澤泽潤润燈灯爾尔瑪玛禮礼紅红維维網网綠绿線线" +
    "總总義义聖圣藍蓝蘇苏裝装視视訊讯設设誠诚財财貝贝購购賽赛軟软遠远錦锦鎮镇順顺頭头養养騰腾魚鱼鳳凤鹽盐麥麦齊齐夥伙會会個个戶户體体產产術术備备製制動动氣气濟济銀银"
  )
    .match(/../gu)
    ?.map((pair) => [pair.charAt(0), pair.charAt(1)] as const)
)

const arabic = new Map([
  ["أ", "ا"],
  ["إ", "ا"],
  ["آ", "ا"],
  ["ة", "ه"],
  ["ى", "ي"],
  ["ی", "ي"],
  ["ک", "ك"],
  ["ـ", ""]
])

const ascii = /^[\x20-\x7e]*$/
const hasTwins = /\p{Script=Han}/u
const hasArabic = /\p{Script=Arabic}/u

/** Latin letters that look like Cyrillic ones, as keyboards mix them: `ОБЩEСТВО`. */
const lookalikes = new Map(
  [..."aceopxykmtbhiíy"].map((letter, index) => [letter, [..."асеорхукмтвніїу"][index] ?? letter])
)
const mixed = /(?=\p{L}*\p{Script=Cyrillic})(?=\p{L}*[a-z])\p{L}+/gu

const latinLookalikes = new Map([...lookalikes].map(([latin, cyrillic]) => [cyrillic, latin]))

/** A word in the script that most of its letters have. */
const ofOneScript = (word: string): string => {
  const latin = word.match(/[a-z]/g)?.length ?? 0
  return latin * 2 > word.length
    ? word.replace(/\p{Script=Cyrillic}/gu, (letter) => latinLookalikes.get(letter) ?? letter)
    : word.replace(/[a-z]/g, (letter) => lookalikes.get(letter) ?? letter)
}

const foldOther = (text: string): string => {
  const bare = Text.bare(text).replaceAll("ς", "σ").replaceAll("ə", "e")
  const han = hasTwins.test(bare) ? bare.replace(/\p{Script=Han}/gu, (letter) => twins.get(letter) ?? letter) : bare
  if (/\p{Script=Cyrillic}/u.test(han)) return han.replace(mixed, ofOneScript)
  return hasArabic.test(han)
    ? han.replace(/[\u064b-\u0652]/g, "").replace(/[أإآةىیکـ]/g, (letter) => arabic.get(letter) ?? letter)
    : han
}

/** How a character stands in a name. */
const GAP = 0
const WORD = 1
const AND = 2
const INNER = 3
const DOT = 4

const kinds = new Uint8Array(0x1_0000).fill(255)

const wordLike = /[\p{L}\p{N}\p{M}\p{Surrogate}]/u

const kindAt = (code: number): number => {
  const known = kinds[code] ?? GAP
  if (known !== 255) return known
  const letter = String.fromCharCode(code)
  const kind = wordLike.test(letter)
    ? WORD
    : "&+".includes(letter)
      ? AND
      : "'`´’‘".includes(letter)
        ? INNER
        : "./".includes(letter)
          ? DOT
          : GAP
  kinds[code] = kind
  return kind
}

/** Kept as they are: what stands before or behind them is somebody else, or somebody's other name. */
const marks: ReadonlySet<string> = new Set([
  "c/o",
  "o/b",
  "t/a",
  "d/b/a",
  "b/o",
  "f/k/a",
  "a/c",
  "m/s",
  "n/a",
  "o/b/o",
  "i/c"
])

const letter = /^\p{L}$/u
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code > 127 && letter.test(String.fromCharCode(code)))

/** Initials that belong together: `s`, `a`, `c` is `sac`. */
const joined = (words: Array<string>): Array<string> => {
  const found: Array<string> = []
  let run = ""
  for (const word of words) {
    if (word.length === 1 && isLetter(word.charCodeAt(0)) && !unspaced.test(word)) {
      run += word
      continue
    }
    if (run !== "") found.push(run)
    run = ""
    found.push(word)
  }
  if (run !== "") found.push(run)
  return found
}

/** Scripts that put no space between words. */
export const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const isHebrew = (code: number): boolean => code >= 0x590 && code < 0x600

/** Puts a word behind others, or to the initials that it goes on with. */
const push = (words: Array<string>, word: string, separator: string, initials: boolean): boolean => {
  const single = word.length === 1
  const goesOn = initials && single && separator !== "" && words.length > 0
  if (goesOn) words[words.length - 1] += separator === "/" ? `/${word}` : word
  else words.push(word)
  return single
}

const cutWords = (text: string): Array<string> => {
  const words: Array<string> = []
  let [start, initials, separator, singles, slashed] = [-1, false, "", 0, false]
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32
    const kind = kindAt(code)
    if (kind === WORD) {
      if (start < 0) start = at
      continue
    }
    // O'Brien is one word, and so is what Hebrew abbreviates with a quotation mark.
    if (start >= 0 && (kind === INNER || code === 34) && at + 1 < text.length) {
      const next = text.charCodeAt(at + 1)
      if (kindAt(next) === WORD && (kind === INNER || isHebrew(next))) continue
    }
    if (start >= 0) {
      const word = text.slice(start, at)
      initials = push(words, word, separator, initials)
      if (word.length === 1) singles++
      start = -1
    } else if (kind !== DOT || separator !== "") initials = false
    // "+44 …" is a number.
    if (kind === AND && !(code === 43 && /\d/.test(text.charAt(at + 1)))) {
      words.push("and")
      initials = false
    }
    separator = kind === DOT ? text.charAt(at) : ""
    if (separator === "/") slashed = true
    if (kind === GAP) initials = false
  }
  const tidy = slashed ? words.map((word) => (marks.has(word) ? word : word.replaceAll("/", ""))) : words
  return singles > 1 ? joined(tidy) : tidy
}

const inner = /['`´’‘"]/

/** The folded words of a text. */
export const of = (text: string): ReadonlyArray<string> => {
  const folded = ascii.test(text) ? text.toLowerCase() : foldOther(text)
  const words = cutWords(folded)
  return inner.test(folded) ? words.map((word) => word.replace(/['`´’‘"]/g, "")) : words
}
