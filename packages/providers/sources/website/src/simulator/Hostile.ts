/**
 * Sites that mean no good, or are badly broken: each a handler for `Server.start`. All allow robots everything.
 */
import { Buffer } from "node:buffer"
import { gzipSync } from "node:zlib"
import type { Handler } from "./Server.ts"

/** A site of these pages; anything else is 404. A page may be a handler of its own. */
export const site =
  (pages: Readonly<Record<string, string | Handler>>, headers: Readonly<Record<string, string>> = {}): Handler =>
  (response, url) => {
    const page = pages[url.pathname]
    if (typeof page === "function") page(response, url)
    else if (page === undefined) response.writeHead(404, { "content-type": "text/html" }).end("<title>404</title>")
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(page)
  }

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Handler =>
  (response) =>
    void response.writeHead(code, headers).end("")

export const redirect =
  (to: string, code = 302): Handler =>
  (response) =>
    void response.writeHead(code, { location: to }).end("")

const html = { "content-type": "text/html; charset=utf-8" }

const opening = `<!doctype html><title>Acme</title><meta name="description" content="Found before the end.">`

/** Bytes one by one, for ever. */
const drip: Handler = (response) => {
  response.writeHead(200, html)
  const timer = setInterval(() => response.write("x"), 10)
  response.on("close", () => clearInterval(timer))
}

/** A page that does not end, as fast as it is read. */
const endless: Handler = (response) => {
  response.writeHead(200, html)
  const piece = Buffer.alloc(64 * 1024, "<p>more ")
  const more = (): void => {
    if (!response.destroyed) response.write(piece, more)
  }
  response.write(opening, more)
}

/** 256 KiB that become 256 MiB. */
const bomb: Handler = (response) => {
  const head = gzipSync(opening)
  const body = gzipSync(Buffer.alloc(1024 * 1024))
  response.writeHead(200, { ...html, "content-encoding": "gzip" })
  response.write(head)
  for (let count = 0; count < 256; count++) response.write(body)
  response.end()
}

/** A compressed stream of blocks with nothing in them, for ever. */
const emptyBlocks: Handler = (response) => {
  response.writeHead(200, { ...html, "content-encoding": "gzip" })
  response.write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]))
  const blocks = Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])))
  const more = (): void => {
    if (!response.destroyed) response.write(blocks, more)
  }
  more()
}

/** Not what the header says. */
const noGzip: Handler = (response) =>
  void response.writeHead(200, { ...html, "content-encoding": "gzip" }).end("<title>plain</title>")

/** An encoding that nobody asked for. */
const oddEncoding: Handler = (response) =>
  void response.writeHead(200, { ...html, "content-encoding": "aes128gcm" }).end("????")

/** More headers than anybody reads. */
const manyHeaders: Handler = (response) =>
  void response
    .writeHead(200, {
      ...html,
      ...Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${at}`, "y".repeat(80)]))
    })
    .end(opening)

/** Half of what is announced. */
const half: Handler = (response) => {
  response.writeHead(200, { ...html, "content-length": "100000" })
  response.write(opening, () => response.destroy())
}

/** Takes the request and never answers. */
const silent: Handler = () => undefined

/** Each page leads to the next. */
const chain: Handler = (response, url) =>
  void response.writeHead(302, { location: `/${Number(url.pathname.slice(1) || "0") + 1}` }).end("")

const page = (head: string, body: string): string =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

const organization = (members: string): string =>
  `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization",${members}}</script>`

/** Markup that tries to be more than text. */
const injection = page(
  `<title><script>alert(1)</script> Acme</title>
   <meta name="description" content="&quot;&gt;&lt;script&gt;alert(document.domain)&lt;/script&gt;">
   ${organization(`"name":"Acme <img src=x onerror=alert(1)>","telephone":"javascript:alert(1)","url":"javascript:alert(1)","sameAs":["javascript:alert(1)","https://evil.example/company/acme","https://www.linkedin.com.evil.example/company/x"],"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}`)}`,
  `<a href="javascript:alert(1)">Contact</a><a href="data:text/html,<script>alert(1)</script>">Imprint</a>
   <a href="file:///etc/passwd">About</a><a href="http://169.254.169.254/contact">Contact</a><a href="//127.0.0.1/contact">Contact</a>
   <a href="https://user:pw@acme.example/contact">Contact</a><a href="http://acme.example:22/contact">Contact</a>
   <a href="mailto:info@acme.example?bcc=all@evil.example&body=%0d%0aX-Injected: 1">Mail</a><a href="mailto:%00@acme.example">?</a>`
)

const deep = page("", `${opening}${"<div>".repeat(100_000)}deep`)

const links = page(
  opening,
  Array.from({ length: 100_000 }, (_, at) => `<a href="/contact/${at}">Contact ${at}</a>`).join("")
)

const brokenLinkedData = page(
  `<title>Acme</title>
   <script type="application/ld+json">{"@type":"Organization","name":"Broken</script>
   <script type="application/ld+json">${"[".repeat(100_000)}</script>
   <script type="application/ld+json">null</script>
   <script type="application/ld+json"><!-- {"@type":"Organization", "name":"Acme
     Works", "address":{"@type":"PostalAddress","addressLocality":7,"addressCountry":{"name":["Norway"]}},} --></script>`,
  ""
)

/** Hosts by what they do. */
export const sites: Readonly<Record<string, Handler>> = {
  "drip.example": site({ "/": drip }),
  "endless.example": site({ "/": endless }),
  "bomb.example": site({ "/": bomb }),
  "blocks.example": site({ "/": emptyBlocks }),
  "nogzip.example": site({ "/": noGzip }),
  "oddencoding.example": site({ "/": oddEncoding }),
  "headers.example": site({ "/": manyHeaders }),
  "half.example": site({ "/": half }),
  "silent.example": site({ "/": silent }),
  "chain.example": (response, url) =>
    url.pathname === "/robots.txt" ? void response.writeHead(404).end("") : chain(response, url),
  "injection.example": site({ "/": injection.replaceAll("acme.example", "injection.example") }),
  "deep.example": site({ "/": deep }),
  "links.example": site({ "/": links }),
  "linkeddata.example": site({ "/": brokenLinkedData })
}
