/**
 * Dates as files write them, by a format such as `YYYY-MM-DD`, `DDMMYYYY`, `YYMM`, `D MON YYYY`, `excel`.
 *
 * Gotchas
 * - `MM` and `DD` also take one digit where a separator follows. Where there are only digits, zeros that the front has
 *   lost are put back.
 * - Zeros alone (`00000000`) are no date. A format without a day means the first of the month, one without a month the
 *   first of the year.
 * - `YY` from 70 is of the last century.
 */
import { DateTime } from "effect"
import { remembering } from "./Remembered.ts"

/** `undefined` for what is no date of the format, `null` for one that says there is none. */
export type ParseDate = (text: string) => string | null | undefined

const months = new Map(
  [
    "jan january ene enero janeiro janv janvier januar",
    "feb february febrero fev fevereiro fevr février februar",
    "mar march marzo março mars mär märz",
    "apr april abr abril avr avril",
    "may mayo mai maio",
    "jun june junio junho juin juni",
    "jul july julio julho juil juillet juli",
    "aug august ago agosto août aout",
    "sep sept september septiembre set setembro septembre",
    "oct october octubre out outubro octobre okt oktober",
    "nov november noviembre novembro novembre",
    "dec december dic diciembre dez dezembro déc décembre dezember"
  ].flatMap((names, index) => names.split(" ").map((name): [string, number] => [name, index + 1]))
)

type Part = "year" | "month" | "day"

const tokens: Readonly<Record<string, { readonly part: Part; readonly pattern: string; readonly fixed: string }>> = {
  YYYY: { part: "year", pattern: String.raw`(\d{4})`, fixed: String.raw`(\d{4})` },
  YY: { part: "year", pattern: String.raw`(\d{2})`, fixed: String.raw`(\d{2})` },
  MON: { part: "month", pattern: String.raw`([\p{L}]{3,10})\.?`, fixed: String.raw`([\p{L}]{3})` },
  MM: { part: "month", pattern: String.raw`(\d{1,2})`, fixed: String.raw`(\d{2})` },
  M: { part: "month", pattern: String.raw`(\d{1,2})`, fixed: String.raw`(\d{1,2})` },
  DD: { part: "day", pattern: String.raw`(\d{1,2})`, fixed: String.raw`(\d{2})` },
  D: { part: "day", pattern: String.raw`(\d{1,2})`, fixed: String.raw`(\d{1,2})` }
}

const token = /YYYY|YY|MON|MM|M|DD|D/g

const twoDigits = (number: number): string => String(number).padStart(2, "0")

const DAY = 86_400_000

/** `YYYY-MM-DD`, or `undefined` where the calendar has no such day. */
const iso = (year: number, month: number, day: number): string | undefined => {
  if (year < 1900 || year > 2199 || month < 1 || month > 12 || day < 1) return undefined
  const last = [31, year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28, 31, 30, 31, 30][month - 1]
  const longest = last ?? [31, 31, 30, 31, 30, 31][month - 7] ?? 0
  return day > longest ? undefined : `${year}-${twoDigits(month)}-${twoDigits(day)}`
}

/** Days since the end of 1899, as spreadsheets count them; before March 1900 they count wrong, and nobody traded. */
const fromExcel: ParseDate = (text) => {
  const serial = /^\d{4,5}(?:\.\d+)?$/.test(text) ? Math.floor(Number(text)) : Number.NaN
  if (!(serial > 60)) return undefined
  return DateTime.formatIsoDateUtc(DateTime.makeUnsafe(Date.UTC(1899, 11, 30) + serial * DAY))
}

const isoPattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ][\d:.,+-]*Z?)?$/

const fromIso: ParseDate = (text) => {
  const found = isoPattern.exec(text)
  return found === null ? undefined : iso(Number(found[1]), Number(found[2]), Number(found[3]))
}

const yearOf = (text: string): number => {
  const number = Number(text)
  if (text.length !== 2) return number
  return number + (number >= 70 ? 1900 : 2000)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

/** What a format says: its pattern, which group is what, and how many digits it has where it has nothing else. */
const compiled = (format: string) => {
  const parts: Array<Part> = []
  const digitsOnly = /^(?:YYYY|YY|MM|DD)+$/.test(format)
  let pattern = ""
  let end = 0
  for (const { 0: found, index } of format.matchAll(token)) {
    const { fixed, part, pattern: loose } = tokens[found] ?? { part: "day", pattern: "", fixed: "" }
    pattern += escaped(format.slice(end, index)) + (digitsOnly ? fixed : loose)
    parts.push(part)
    end = index + found.length
  }
  // A time behind the date says nothing that is asked for.
  const rest = digitsOnly ? "" : String.raw`(?:[T ]\d{1,2}:.*)?`
  return {
    parts,
    digits: digitsOnly ? format.length : null,
    exact: new RegExp(`^${pattern}${escaped(format.slice(end))}${rest}$`, "u")
  }
}

const fromFormat = (format: string): ParseDate => {
  const { digits, exact, parts } = compiled(format)
  return (text) => {
    const full = digits !== null && /^\d+$/.test(text) && text.length < digits ? text.padStart(digits, "0") : text
    const found = exact.exec(full)
    if (found === null) return undefined
    const said: Record<Part, number> = { year: 0, month: 1, day: 1 }
    for (const [index, part] of parts.entries()) {
      const value = found[index + 1] ?? ""
      if (part === "year") said.year = yearOf(value)
      else said[part] = months.get(value.toLowerCase()) ?? Number(value)
    }
    return iso(said.year, said.month, said.day)
  }
}

/** Whether a text is a format: `iso`, `excel`, or one with a year. */
export const isFormat = (format: string): boolean =>
  format === "iso" || format === "excel" || (/YY/.test(format) && !/[A-Za-z]/.test(format.replace(token, "")))

/** A reader of one format. It remembers: a file has few days. */
export const parser = (format: string): ParseDate => {
  const read =
    format === "iso" || format === "YYYY-MM-DD" ? fromIso : format === "excel" ? fromExcel : fromFormat(format)
  return remembering((text) => (/^[0\s/.:-]+$/.test(text) ? null : read(text)))
}
