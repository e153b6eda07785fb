import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Classifier from "./Classifier.ts"
import * as RuleFile from "./RuleFile.ts"

const problems = (text: string) =>
  Effect.map(Effect.flip(RuleFile.parse("own.yaml", text)), ({ problem }) => problem.split("\n"))

describe("RuleFile", () => {
  it.effect("reads an operator's rules, which are asked before ours", () =>
    Effect.gen(function* () {
      const rules = yield* RuleFile.parse(
        "own.yaml",
        `
- name: partner_unknown
  says: Our partner has words of its own.
  stages: [recipient]
  codes: [550, 55x]
  enhanced: [5.7.600-649, none]
  providers: [partner]
  phrases: [returned to stock]
  except: [stock market]
  class: unknown_user
`
      )
      const { read } = Classifier.make(rules)
      const said = { stage: "recipient", code: 550, enhanced: "5.7.606", provider: "partner", served: false } as const
      assert.strictEqual(read({ ...said, text: "Returned to stock" }).rule, "partner_unknown")
      assert.notStrictEqual(read({ ...said, text: "Returned to stock market" }).rule, "partner_unknown")
      assert.notStrictEqual(read({ ...said, text: "Returned to stock", enhanced: "5.7.650" }).rule, "partner_unknown")
      assert.notStrictEqual(read({ ...said, text: "Returned to stock", provider: null }).rule, "partner_unknown")
      assert.notStrictEqual(read({ ...said, text: "Returned to stock", code: 450 }).rule, "partner_unknown")
    })
  )

  it.effect("names the place and what it expects there, for each fault", () =>
    Effect.gen(function* () {
      const found = yield* problems(`
- name: Bad Name
  says: Something.
  codes: [600]
  enhanced: ["5.1"]
  phrases: ["user (a+)+"]
  class: gone
  colour: red
- name: fine
  says: ""
  class: policy
`)
      for (const place of [
        "[0].name: Expected a name such as",
        "[0].codes[0]: Expected a code such as 550",
        "[0].enhanced[0]: Expected a code such as 5.1.1",
        "[0].phrases[0]: Expected words",
        "[0].class: Expected",
        "[0].colour: Nothing of this name is known here",
        "[1].says: Expected a text"
      ])
        assert.isTrue(
          found.some((line) => line.startsWith(place)),
          `${place} in\n${found.join("\n")}`
        )
    })
  )

  it.effect("lets no reply before RCPT say anything of a mailbox", () =>
    Effect.gen(function* () {
      const found = yield* problems("- { name: early, says: Early., phrases: [no], class: unknown_user }")
      assert.deepStrictEqual(found, ["[0]: Expected stages to be [recipient], since unknown_user is of the mailbox"])
    })
  )

  it.effect("wants names of their own", () =>
    Effect.gen(function* () {
      const found = yield* problems("- { name: unknown_user, says: Mine., class: policy }")
      assert.deepStrictEqual(found, ['[0].name: Expected a name of its own, "unknown_user" is taken'])
    })
  )

  it.effect("says where it is no YAML", () =>
    Effect.gen(function* () {
      const [first] = yield* problems("- { name: [")
      assert.include(first, "it is no YAML")
    })
  )
})
