/**
 * How a table of a reference is searched: by words that all have to occur, whatever their case and accents. A word occurs
 * where a word of the entry begins with it, so that half a word finds what it becomes.
 */
import { Schema } from "effect"
import * as Text from "../value/Text.ts"

/** The longest question in characters. */
const longest = 100

/** `+` and `#` tell `C`, `C++` and `C#` apart. */
const words = (text: string): ReadonlyArray<string> => Text.bare(text).match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}+#]*/gu) ?? []

/** What is looked for. Nothing at all finds everything; signs that are no word are a mistake. */
export const Query = Schema.String.check(Schema.isMaxLength(longest)).check(
  Schema.makeFilter((text) => text.trim() === "" || words(text).length > 0 || "Expected words of letters or digits")
)

/** A search over entries in their order; `texts` is what an entry is found by. */
export const over = <Entry>(
  entries: ReadonlyArray<Entry>,
  texts: (entry: Entry) => ReadonlyArray<string>
): ((query: string) => ReadonlyArray<Entry>) => {
  const indexed = entries.map((entry) => ({ entry, said: [...new Set(texts(entry).flatMap(words))] }))
  return (query) => {
    const wanted = words(query)
    return indexed.flatMap(({ entry, said }) =>
      wanted.every((word) => said.some((one) => one.startsWith(word))) ? [entry] : []
    )
  }
}
