import { assert, describe, it } from "@effect/vitest"
import * as PublicUrl from "./PublicUrl.ts"

const problem = (text: string, permitted?: PublicUrl.Permitted) => PublicUrl.problem(new URL(text), permitted)

describe("PublicUrl", () => {
  it("lets pass what a browser would ask on the web", () => {
    for (const text of [
      "https://acme.example",
      "http://www.acme.example/contact?x=1#top",
      "https://acme.example:443/",
      "http://acme.example:443/",
      "https://müller.example/",
      "https://acme.example./",
      "http://8.8.8.8/",
      "https://[2606:4700::1111]/"
    ]) {
      assert.isNull(problem(text), text)
    }
  })

  it("refuses other schemes, users and passwords, and other ports", () => {
    for (const [text, expected] of [
      ["ftp://acme.example/", "scheme"],
      ["file:///etc/passwd", "scheme"],
      ["javascript:alert(1)", "scheme"],
      ["gopher://acme.example:80/", "scheme"],
      ["https://user@acme.example/", "userinfo"],
      ["https://:password@acme.example/", "userinfo"],
      ["https://acme.example:22/", "port"],
      ["http://acme.example:8080/", "port"],
      ["http://acme.example:0/", "port"]
    ] as const) {
      assert.strictEqual(problem(text), expected, text)
    }
    assert.isNull(problem("http://acme.example:8080/", { ports: [8080] }))
  })

  it("refuses addresses that are not public, however they are written, and names without a dot", () => {
    for (const text of [
      "http://127.0.0.1/",
      "http://127.1/",
      "http://2130706433/",
      "http://0x7f000001/",
      "http://0177.0.0.1/",
      "http://%31%32%37.0.0.1/",
      "http://１２７.0.0.1/",
      "http://0/",
      "http://10.0.0.1/",
      "http://169.254.169.254/latest/meta-data/",
      "http://[::1]/",
      "http://[::]/",
      "http://[::ffff:127.0.0.1]/",
      "http://[::ffff:a9fe:a9fe]/",
      "http://[fd00::1]/",
      "http://localhost/",
      "http://localhost./",
      "http://intranet/"
    ]) {
      assert.strictEqual(problem(text), "host", text)
    }
    assert.isNull(problem("http://127.0.0.1/", { address: (address) => address === "127.0.0.1" }))
    assert.strictEqual(problem("http://127.0.0.2/", { address: (address) => address === "127.0.0.1" }), "host")
  })
})
