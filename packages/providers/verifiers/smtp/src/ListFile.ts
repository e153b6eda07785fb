/** An operator's own lists of domains and traps: a YAML or JSON file. `docs/email.md` has an example. */
import { EmailAddress } from "@lading/core/email"
import type { Lists } from "@lading/core/email/lists"
import { DomainName } from "@lading/core/value"
import { Effect, Result, Schema } from "effect"
import { parse as parseYaml } from "yaml"

/** The file cannot be used; `problem` says where, and what was expected there. */
export class ListFileError extends Schema.TaggedError<ListFileError>()("ListFileError", {
  file: Schema.String,
  problem: Schema.String
}) {}

type Name = "disposable" | "allowed" | "spamtraps"

const names: ReadonlyArray<Name> = ["disposable", "allowed", "spamtraps"]

const isName = (name: string): name is Name => names.some((known) => known === name)

/** What an entry is kept as; `null` where it is none. */
const entryOf = (name: Name, text: string): string | null => {
  if (name === "spamtraps" && text.includes("@")) {
    const address = EmailAddress.parse(text)
    return Result.isSuccess(address) ? EmailAddress.key(address.success) : null
  }
  return DomainName.parse(text) ?? null
}

const expected = (name: Name): string => (name === "spamtraps" ? "a mail address or a domain" : "a domain")

/** What is wrong with a list, or its entries. */
const listOf = (
  name: Name,
  value: unknown
): { readonly entries: ReadonlyArray<string>; readonly wrong: ReadonlyArray<string> } => {
  if (!Array.isArray(value)) return { entries: [], wrong: [`${name}: Expected a list`] }
  const found = value.map((entry: unknown) => (typeof entry === "string" ? entryOf(name, entry.trim()) : null))
  return {
    entries: found.filter((entry) => entry !== null),
    wrong: found.flatMap((entry, at) => (entry === null ? [`${name}[${at}]: Expected ${expected(name)}`] : []))
  }
}

/** The lists of a file. `file` is its name, for the error. */
export const parse = Effect.fnUntraced(function* (
  file: string,
  text: string
): Effect.fn.Return<Lists.Additions, ListFileError> {
  const fail = (problem: string) => new ListFileError({ file, problem })
  const said: unknown = yield* Effect.try({
    // Aliases are a way of writing very much in few words.
    try: (): unknown => parseYaml(text, { maxAliasCount: 100 }),
    catch: () => fail("it is no YAML")
  })
  if (typeof said !== "object" || said === null || Array.isArray(said))
    return yield* fail(`Expected an object with ${names.join(", ")}`)
  const lists: Partial<Record<Name, ReadonlyArray<string>>> = {}
  const wrong: Array<string> = []
  for (const [name, value] of Object.entries(said)) {
    if (!isName(name)) {
      wrong.push(`${name}: Nothing of this name is known here`)
      continue
    }
    const list = listOf(name, value)
    lists[name] = list.entries
    wrong.push(...list.wrong)
  }
  return wrong.length === 0 ? lists : yield* fail(wrong.slice(0, 20).join("\n"))
})
