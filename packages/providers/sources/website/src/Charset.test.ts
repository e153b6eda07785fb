import { assert, describe, it } from "@effect/vitest"
import { Buffer } from "node:buffer"
import * as Charset from "./Charset.ts"

const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))))

describe("Charset", () => {
  it("believes the byte order mark, then the header, then the page", () => {
    assert.strictEqual(Charset.decode(bytes([0xef, 0xbb, 0xbf, 0xc3, 0xa9]), "text/html; charset=latin1"), "é")
    assert.strictEqual(Charset.decode(bytes([0xff, 0xfe, 0xe9, 0]), ""), "é")
    assert.strictEqual(Charset.decode(bytes([0xfe, 0xff, 0, 0xe9]), ""), "é")
    const page = bytes('<meta charset="windows-1251">', [0xcf])
    assert.include(Charset.decode(page, "text/html"), "П")
    assert.include(Charset.decode(page, "text/html; charset=iso-8859-1"), "Ï")
  })

  it("knows the labels of the web and the encodings of its older part", () => {
    for (const [type, said, expected] of [
      ["text/html; charset=ISO-8859-1", [0x80, 0xe9], "€é"],
      ["text/html;charset='Windows-1252'", [0x92], "’"],
      ['text/html; charset="shift_jis"', [0x89, 0xef, 0x8e, 0xd0], "会社"],
      ["text/html; charset=EUC-KR", [0xc8, 0xb8, 0xbb, 0xe7], "회사"],
      ["text/html; charset=gb2312", [0xb9, 0xab, 0xcb, 0xbe], "公司"],
      ["text/html; charset=koi8-r", [0xe6], "Ф"],
      ["text/html; charset=utf8", [0xc3, 0xa9], "é"]
    ] as const) {
      assert.strictEqual(Charset.decode(bytes(said), type), expected, type)
    }
  })

  it("reads what the page says in either way, if it says it early", () => {
    for (const head of [
      '<meta charset="iso-8859-2">',
      "<META CHARSET=iso-8859-2 />",
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">',
      '<?xml version="1.0" encoding="iso-8859-2"?>'
    ]) {
      assert.include(Charset.decode(bytes(head, [0xb1]), "text/html"), "ą", head)
    }
    assert.include(Charset.decode(bytes(" ".repeat(5_000), '<meta charset="iso-8859-2">', [0xb1]), ""), "±")
    // It could not have been read if it were true.
    assert.include(Charset.decode(bytes('<meta charset="utf-16">', [0xc3, 0xa9]), ""), "é")
  })

  it("takes UTF-8 where nothing is said, if it is, cut off or not, and else the encoding of the old west", () => {
    assert.strictEqual(Charset.decode(bytes([0xc3, 0xa9]), ""), "é")
    const long = "x".repeat(100_000)
    assert.isTrue(Charset.decode(bytes(long, [0xc3, 0xa9, 0xe2, 0x82]), "").startsWith(`${long}é`))
    assert.strictEqual(Charset.decode(bytes([0x63, 0x61, 0x66, 0xe9]), "text/html; charset=nonsense"), "café")
  })

  it("never fails, whatever is said", () => {
    for (const label of [
      "",
      "utf-7",
      "replacement",
      "x-user-defined",
      "iso-2022-cn",
      "\u0000",
      "a".repeat(10_000),
      "utf-32"
    ]) {
      assert.isString(Charset.decode(bytes([0xff, 0x00, 0xfe]), `text/html; charset=${label}`), label)
    }
  })
})
