/**
 * How declarations spell the name of a trader: mostly as it is, else with another legal form or none, abbreviated, in
 * another order, with a typing error. A trader has a dozen spellings that come again and again, as in true files.
 */
import { Dice } from "./Dice.ts"
import type { Trader } from "./Trader.ts"

/** Spellings of a trader, numbered from 0; 0 is its name as it is. */
export const SPELLINGS = 12

export type Kind = "as it is" | "other form" | "no form" | "abbreviated" | "reordered" | "mistyped" | "punctuated"

const kinds: ReadonlyArray<Kind> = [
  "as it is",
  "other form",
  "other form",
  "no form",
  "abbreviated",
  "reordered",
  "mistyped",
  "mistyped",
  "mistyped",
  "punctuated",
  "punctuated",
  "other form"
]

export const kindOf = (spelling: number): Kind => kinds[spelling] ?? "as it is"

/** The share of records in which a name is written as it is, before upper case and cutting. */
const AS_IT_IS = 0.62

/** Which spelling a record uses. */
export const draw = (dice: Dice): number => (dice.maybe(AS_IT_IS) ? 0 : 1 + dice.below(SPELLINGS - 1))

/** One letter left out, doubled, or changed places with the next; never the first one. */
const mistype = (dice: Dice, word: string): string => {
  const place = 1 + dice.below(Math.max(1, word.length - 2))
  const [before, letter, next, after] = [
    word.slice(0, place),
    word.charAt(place),
    word.charAt(place + 1),
    word.slice(place + 2)
  ]
  const error = dice.below(3)
  if (error === 0) return before + next + after
  return error === 1 || letter === next ? before + letter + letter + next + after : before + next + letter + after
}

/** The name as spelling number `spelling` has it, before upper case and cutting. */
export const spell = (seed: number, trader: Trader, spelling: number): string => {
  const { business, form, name, second, word } = trader
  const dice = new Dice().of(seed, 100 + spelling, trader.number)
  const head = second === null ? word : `${word} ${second}`
  const another = form[1 + dice.below(form.length - 1)] ?? form[0]
  switch (kindOf(spelling)) {
    case "as it is":
      return name
    case "other form":
      return `${head} ${business[0]} ${another}`
    case "no form":
      return `${head} ${business[0]}`
    case "abbreviated":
      return `${head} ${business[1]}. ${form[0]}`
    case "reordered":
      return `${business[0]} ${head} ${form[0]}`
    case "mistyped":
      return `${mistype(dice, word)}${second === null ? "" : ` ${second}`} ${business[0]} ${form[0]}`
    case "punctuated":
      return `${word}${second === null ? "" : `-${second}`}, ${business[0]}  ${another}`.replace(/[.]$/, "")
  }
}

const ascii = /^[\x20-\x7e]*$/

/** In capitals without accents, as most publications print it, or as it is. */
export const printed = (name: string, capitals: boolean): string => {
  if (!capitals) return name
  return (ascii.test(name) ? name : name.normalize("NFD").replace(/\p{M}/gu, "")).toUpperCase()
}
