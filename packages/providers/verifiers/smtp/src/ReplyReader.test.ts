import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Reply from "./Reply.ts"
import * as ReplyReader from "./ReplyReader.ts"

const latin1 = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (each) => String.fromCharCode(each)).join("")

const readAll = (bytes: string) => ReplyReader.make().read(bytes)

const readSplit = (bytes: string, lengths: ReadonlyArray<number>) => {
  const reader = ReplyReader.make()
  const found: Array<Reply.Reply | ReplyReader.Violation> = []
  let at = 0
  for (const length of lengths) {
    found.push(...reader.read(bytes.slice(at, at + length)))
    at += length
  }
  found.push(...reader.read(bytes.slice(at)))
  return found
}

describe("ReplyReader", () => {
  it("reads one line, and the next", () => {
    assert.deepStrictEqual(readAll("220 mx.acme.example ESMTP\r\n250 2.1.0 Ok\r\n"), [
      { code: 220, lines: ["mx.acme.example ESMTP"] },
      { code: 250, lines: ["2.1.0 Ok"] }
    ])
  })

  it("joins the lines of one reply", () => {
    assert.deepStrictEqual(readAll("250-mx.acme.example\r\n250-PIPELINING\r\n250 SIZE 1000\r\n"), [
      { code: 250, lines: ["mx.acme.example", "PIPELINING", "SIZE 1000"] }
    ])
  })

  it("takes the code of the line that ends a reply", () => {
    assert.deepStrictEqual(readAll("450-wait\r\n550 no\r\n"), [{ code: 550, lines: ["wait", "no"] }])
  })

  it("reads a code without text, with CR and without", () => {
    assert.deepStrictEqual(readAll("250\r\n250\n"), [
      { code: 250, lines: [""] },
      { code: 250, lines: [""] }
    ])
  })

  it("keeps a line without a code inside a reply", () => {
    assert.deepStrictEqual(readAll("550-no\nsuch user\n550 here\n"), [
      { code: 550, lines: ["no", "such user", "here"] }
    ])
  })

  it("reads text that is not ASCII", () => {
    assert.deepStrictEqual(readAll(latin1("550 5.1.1 destinataire inconnu: Zoé\r\n")), [
      { code: 550, lines: ["5.1.1 destinataire inconnu: Zoé"] }
    ])
  })

  it("ends at what is not SMTP", () => {
    assert.deepStrictEqual(readAll("220 hello\r\nHTTP/1.1 400 Bad Request\r\n250 ok\r\n"), [
      { code: 220, lines: ["hello"] },
      "no_code"
    ])
    assert.deepStrictEqual(readAll("2500 ok\r\n"), ["no_code"])
    assert.deepStrictEqual(readAll("150 ok\r\n"), ["no_code"])
  })

  it("cuts long text off, and gives up on what has no end", () => {
    const [long] = readAll(`550 ${"x".repeat(5_000)}\r\n`)
    assert.deepStrictEqual(long, { code: 550, lines: ["x".repeat(1_024)] })
    const [many] = readAll(`${"250-x\r\n".repeat(500)}250 x\r\n`)
    assert.strictEqual(typeof many === "object" && many.lines.length, 64)
    assert.deepStrictEqual(readAll("250-x\r\n".repeat(20_000)), ["endless"])
    assert.deepStrictEqual(readAll("x".repeat(70_000)), ["endless"])
  })

  it("says whether it waits for the rest of a reply", () => {
    const reader = ReplyReader.make()
    assert.isFalse(reader.isInside())
    reader.read("250-a\r\n")
    assert.isTrue(reader.isInside())
    reader.read("250 b\r\n")
    assert.isFalse(reader.isInside())
    reader.read("25")
    assert.isTrue(reader.isInside())
  })

  const line = Schema.Tuple([
    Schema.Literals(["220", "250", "550", "4", "HTTP", ""]),
    Schema.Literals([" ", "-", ""]),
    Schema.Union([Schema.String, Schema.Literals(["Zoé 名", "y".repeat(1_500)])]),
    Schema.Literals(["\r\n", "\n", "\r"])
  ])
  const lengths = Schema.Array(Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 40 }))))

  it.prop("reads the same however bytes are split", [Schema.Array(line), lengths], ([lines, lengths]) => {
    const bytes = latin1(lines.flat().join(""))
    assert.deepStrictEqual(readSplit(bytes, lengths), readAll(bytes))
  })
})

describe("Reply", () => {
  const cases: ReadonlyArray<readonly [line: string, code: string | null]> = [
    ["5.1.1 no such user", "5.1.1"],
    ["#5.1.1 no such user", "5.1.1"],
    ["[4.7.650] busy", "4.7.650"],
    ["5.1.1", "5.1.1"],
    ["Requested action not taken 5.1.1", null],
    ["5.1.1.1 is an address", null],
    ["5.1 is a version", null],
    ["ok", null]
  ]
  for (const [line, code] of cases)
    it(`reads the code of "${line}"`, () => assert.strictEqual(Reply.enhanced({ code: 550, lines: [line] }), code))

  it("takes the first code of several lines", () => {
    assert.strictEqual(Reply.enhanced({ code: 550, lines: ["Sorry:", "5.7.1 blocked", "5.1.1 none"] }), "5.7.1")
    assert.strictEqual(Reply.text({ code: 550, lines: ["Sorry:", "5.7.1 blocked"] }), "Sorry: 5.7.1 blocked")
  })
})
