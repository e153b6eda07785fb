/**
 * Parts of a load that are not written yet: their rows as lines, and lines for the keys of parties that come for the first
 * time. There are two at most, one that is being written and one that grows meanwhile; their memory is used again.
 */
import { TraderKeys, type TradeRecord, type TradeRow } from "@lading/core/trade"
import * as Encode from "./Encode.ts"
import { Lines } from "./Lines.ts"
import { firstRow } from "./Publication.ts"

/** A part is full with so many rows or bytes: the engine likes few large ones, and a crash repeats one of them. */
const ROWS = 200_000
const BYTES = 96 << 20

/** Parties of which it is remembered that they were written. */
const PARTIES = 500_000

export interface Part {
  readonly rows: number
  readonly records: Lines
  readonly parties: Lines
}

interface Growing extends Part {
  rows: number
}

export interface Gathering {
  /** Adds rows to the part of that number. */
  readonly add: (load: number, part: number, rows: ReadonlyArray<TradeRow.TradeRow>) => Part
  /** Makes a part again what it was when it had so much. */
  readonly cut: (part: number, mark: Mark) => void
  readonly mark: (part: number) => Mark
  /** Whether it is enough for a part. */
  readonly isFull: (part: Part) => boolean
  /** A part was written. */
  readonly done: (part: number) => void
  /** Nothing of what was gathered will be written, and of what was to be written perhaps not all was. */
  readonly forget: () => void
}

/** How much a part has. */
export interface Mark {
  readonly rows: number
  readonly records: number
  readonly parties: number
}

/** Writes lines of the parties that it did not write before. */
const makePartyKeys = () => {
  let seen = new Set<string>()
  return {
    forget: () => {
      seen = new Set()
    },
    write: (to: Lines, { name, tax_id }: TradeRecord.Party) => {
      // A name may have anything in it, also what stands between it and the tax id.
      const party = `${name?.length ?? 0} ${name ?? ""} ${tax_id ?? ""}`
      if (seen.has(party)) return
      if (seen.size >= PARTIES) seen = new Set()
      seen.add(party)
      const keys = TraderKeys.of({ name, tax_id })
      if (keys.length > 0) Encode.party(to, name, tax_id, keys)
    }
  }
}

/** A number as it is written fastest. */
const fastest = (id: bigint): bigint | number => (id < 2n ** 52n ? Number(id) : id)

const plus = (id: bigint | number, more: number): bigint | number =>
  typeof id === "bigint" ? id + BigInt(more) : id + more

export const make = (): Gathering => {
  const parts = new Map<number, Growing>()
  let spare: Growing | null = null
  const encoder = Encode.make()
  const partyKeys = makePartyKeys()
  const begun = (number: number): Growing => {
    const part = spare ?? { rows: 0, records: new Lines(), parties: new Lines() }
    spare = null
    parts.set(number, part)
    return part
  }
  const cut = (part: Growing, to: Mark): void => {
    part.rows = to.rows
    part.records.cut(to.records)
    part.parties.cut(to.parties)
    partyKeys.forget()
  }
  return {
    add: (load, number, rows) => {
      const part = parts.get(number) ?? begun(number)
      const first = fastest(firstRow(load, number))
      for (const row of rows) {
        encoder.write(part.records, row, load, plus(first, part.rows++))
        if (row.importer_id !== null) partyKeys.write(part.parties, row.record.importer)
        if (row.exporter_id !== null) partyKeys.write(part.parties, row.record.exporter)
      }
      return part
    },
    mark: (number) => {
      const part = parts.get(number)
      return { rows: part?.rows ?? 0, records: part?.records.length ?? 0, parties: part?.parties.length ?? 0 }
    },
    cut: (number, to) => {
      const part = parts.get(number)
      if (part !== undefined) cut(part, to)
    },
    isFull: ({ records, rows }) => rows >= ROWS || records.length >= BYTES,
    done: (number) => {
      const part = parts.get(number)
      if (part === undefined) return
      parts.delete(number)
      part.rows = 0
      part.records.cut(0)
      part.parties.cut(0)
      spare = part
    },
    forget: () => {
      parts.clear()
      spare = null
      partyKeys.forget()
    }
  }
}
