import { assert, describe, it } from "@effect/vitest"
import * as Html from "./Html.ts"

describe("Html", () => {
  it("gathers what stands in a page", () => {
    const markup = Html.read(`<!doctype html>
      <html lang="nb-NO"><head><title>
        Acme &amp; Sønner </title><title>Another</title>
      <base href="/no/"><base href="/other/">
      <meta name="Description" content=" Robots. "><meta name=description content="later">
      <meta property="og:site_name" content="Acme"><meta name="empty" content=" ">
      <link rel="me" href="https://social.example/@acme">
      <script src="/app.js"></script><script>var inline = "</p>"</script>
      <script type='application/ld+json; charset=utf-8'>{"a":1}</script></head>
      <body><h1>Hello</h1><p>Two <b>words</b> and<br>a&nbsp;line</p>
      <a href="/kontakt" REL="Nofollow Me">Kon<i>takt</i>
        oss</a> <a name=x>no link</a><area href="/map">
      <address>Acme AS<br>Gata 1<br><br>0150 Oslo</address>
      <noscript>no script</noscript><style>p{}</style><template>no</template><select><option>no</option></select>
      <svg><title>icon</title><text>no</text></svg><textarea>no</textarea><!-- no --></body></html>`)
    assert.strictEqual(markup.language, "nb-NO")
    assert.strictEqual(markup.title, "Acme & Sønner")
    assert.strictEqual(markup.base, "/no/")
    assert.deepStrictEqual(
      [...markup.meta],
      [
        ["description", "Robots."],
        ["og:site_name", "Acme"]
      ]
    )
    assert.deepStrictEqual(markup.relations, [{ href: "https://social.example/@acme", rel: "me", text: "" }])
    assert.deepStrictEqual(markup.scripts, ["/app.js"])
    assert.strictEqual(markup.inline, 'var inline = "</p>"')
    assert.deepStrictEqual(markup.linkedData, ['{"a":1}'])
    assert.deepStrictEqual(markup.anchors, [
      { href: "/kontakt", rel: "Nofollow Me", text: "Kontakt oss" },
      { href: "/map", rel: "", text: "" }
    ])
    assert.deepStrictEqual(markup.addresses, [["Acme AS", "Gata 1", "0150 Oslo"]])
    assert.strictEqual(markup.text, "Hello\nTwo words and\na line\nKontakt oss no link\nAcme AS\nGata 1\n0150 Oslo")
  })

  it("reads what is no page, and half of one", () => {
    for (const text of [
      "",
      " ",
      "plain text",
      "<",
      "<!",
      "<a href=",
      "<script>",
      "</",
      "\u0000<\u0000>",
      "<title>",
      "<x".repeat(1_000)
    ]) {
      assert.doesNotThrow(() => Html.read(text), text)
    }
    assert.strictEqual(Html.read("plain text").text, "plain text")
    assert.strictEqual(Html.read("<p>one<p>two").text, "one\ntwo")
    assert.strictEqual(Html.read("<title>cut of").title, "cut of")
  })

  it("ends where elements are nested deeper than in any page, and keeps what came before", () => {
    const markup = Html.read(`<title>Acme</title>${"<div>".repeat(100_000)}<p>unseen</p>`)
    assert.strictEqual(markup.title, "Acme")
    assert.notInclude(markup.text, "unseen")
    const wide = Html.read(`${"<div><p>x</p></div>".repeat(50_000)}<p>seen</p>`)
    assert.include(wide.text, "seen")
  })

  it("bounds every list", () => {
    const many = (text: string, count: number) => Html.read(text.repeat(count))
    assert.isAtMost(many("<a href=/x>y</a>", 100_000).anchors.length, 2_000)
    assert.isAtMost(many("<link href=/x>", 10_000).relations.length, 100)
    assert.isAtMost(many("<script src=/x></script>", 10_000).scripts.length, 200)
    assert.isAtMost(many('<script type="application/ld+json">{}</script>', 10_000).linkedData.length, 20)
    assert.isAtMost(many("<address>x</address>", 10_000).addresses.length, 20)
    assert.isAtMost(Html.read("x".repeat(2_000_000)).text.length, 500_000)
    assert.isAtMost(Html.read(`<a href="${"x".repeat(100_000)}">`).anchors[0]?.href.length ?? 0, 2_000)
    const metas = Array.from({ length: 10_000 }, (_, at) => `<meta name=n${at} content=x>`).join("")
    assert.isAtMost(Html.read(metas).meta.size, 100)
  })

  it("takes a moment for 2 MiB of what is made to take long", () => {
    const bytes = 2 * 1024 * 1024
    for (const piece of [
      "<a>",
      "<div>",
      "<p>",
      "<form>",
      "<",
      "&",
      "&amp",
      "<!--",
      "<svg>",
      "<b></i>",
      "<a href=x>",
      "<br>",
      "</p>",
      "<x y="
    ]) {
      const started = performance.now()
      Html.read(piece.repeat(bytes / piece.length))
      assert.isBelow(performance.now() - started, 5_000, piece)
    }
    const closings = performance.now()
    Html.read("<div>".repeat(299) + "</b>".repeat(bytes / 4))
    assert.isBelow(performance.now() - closings, 5_000)
  })
})
