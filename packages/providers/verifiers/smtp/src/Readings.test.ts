import { assert, describe, it } from "vitest"
import * as Readings from "./Readings.ts"
import * as Classifier from "./replies/Classifier.ts"

const ours = Classifier.make()

/** Counts what the classifier is asked. */
const counting = () => {
  let asked = 0
  const classifier: Classifier.Classifier = {
    rules: ours.rules,
    read: (said) => {
      asked++
      return ours.read(said)
    }
  }
  return { read: Readings.make(classifier), asked: () => asked }
}

const context = (recipient: string, more: Partial<Readings.Context> = {}): Readings.Context => ({
  stage: "recipient",
  provider: null,
  served: false,
  recipient,
  ...more
})

const unknown = (address: string) => ({
  code: 550,
  lines: [`5.1.1 <${address}>: Recipient address rejected: User unknown`]
})

describe("Readings", () => {
  it("reads a sentence once, whoever it is said of", () => {
    const { asked, read } = counting()
    const [mara, theo] = ["mara@acme.test", "theo@acme.test"].map((each) => read(unknown(each), context(each)))
    assert.strictEqual(mara?.reply.class, "unknown_user")
    assert.deepStrictEqual(theo, mara)
    assert.strictEqual(asked(), 1)
  })

  it("reads it again of another host, at another step, after another was taken", () => {
    const { asked, read } = counting()
    const reply = { code: 550, lines: ["no"] }
    read(reply, context("a@acme.test"))
    read(reply, context("a@acme.test", { provider: "google" }))
    read(reply, context("a@acme.test", { stage: "mail" }))
    read(reply, context("a@acme.test", { served: true }))
    read({ ...reply, code: 551 }, context("a@acme.test"))
    assert.strictEqual(asked(), 5)
  })

  it("keeps nothing of an address that could be words of the reply", () => {
    const { asked, read } = counting()
    const odd = '"mailbox is full"@acme.test'
    read(unknown(odd), context(odd))
    const plain = read(unknown("mara@acme.test"), context("mara@acme.test"))
    assert.strictEqual(plain.reply.class, "unknown_user")
    assert.strictEqual(asked(), 2)
  })
})
