/** How rows are written down in a file: told by its name, or by who asks. */
export const formats = ["csv", "tsv", "jsonl"] as const
export type Format = (typeof formats)[number]

const byEnding: Readonly<Record<string, Format>> = {
  csv: "csv",
  txt: "csv",
  tsv: "tsv",
  tab: "tsv",
  jsonl: "jsonl",
  ndjson: "jsonl"
}

/** The format that the ending of a file's name stands for, or `null`. */
export const ofPath = (path: string): Format | null =>
  byEnding[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""] ?? null
