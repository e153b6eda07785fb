import { assert, describe, it } from "@effect/vitest"
import type { IncomingHttpHeaders } from "node:http"
import * as Fingerprints from "./Fingerprints.ts"
import * as Html from "./Html.ts"

const shown = (html: string, headers: IncomingHttpHeaders = {}) =>
  Fingerprints.technologies({ headers, markup: Html.read(html) })

describe("Fingerprints", () => {
  it("knows technologies by their marks, each by a mark of its own", () => {
    for (const [html, headers, expected] of [
      ['<meta name="generator" content="WordPress 6.6">', {}, "WordPress"],
      ['<link rel=stylesheet href="/wp-content/themes/x.css">', {}, "WordPress"],
      ['<meta name="generator" content="TYPO3 CMS">', {}, "TYPO3"],
      ['<script src="https://static.parastorage.com/x.js">', {}, "Wix"],
      ['<script src="https://cdn.shopify.com/x.js">', {}, "Shopify"],
      ['<script src="/_next/static/chunks/main.js">', {}, "Next.js"],
      ['<script src="https://unpkg.com/react-dom@18/umd/react-dom.production.min.js">', {}, "React"],
      ["<script>gtag('config', 'G-ABC123')</script>", {}, "Google Analytics"],
      ["<script>j.src='https://www.googletagmanager.com/gtm.js?id='+i</script>", {}, "Google Tag Manager"],
      ['<script src="//js.hs-scripts.com/1.js">', {}, "HubSpot"],
      ['<script src="https://js.stripe.com/v3/">', {}, "Stripe"],
      ["", { server: "nginx/1.27.0" }, "nginx"],
      ["", { server: "Apache/2.4 (Debian)" }, "Apache"],
      ["", { server: "Microsoft-IIS/10.0" }, "Microsoft IIS"],
      ["", { "cf-ray": "0-OSL" }, "Cloudflare"],
      ["", { "x-powered-by": "PHP/8.2" }, "PHP"],
      ["", { "set-cookie": ["a=b", "laravel_session=x; path=/"] }, "Laravel"],
      ["", { "set-cookie": ["JSESSIONID=x"] }, "Java Servlet"]
    ] as const) {
      assert.deepStrictEqual(shown(html, headers as IncomingHttpHeaders), [expected], expected)
    }
  })

  it("knows nothing by words that anybody may write", () => {
    for (const [html, headers] of [
      ["<p>We use WordPress, React and nginx</p>", {}],
      ['<a href="https://js.stripe.com/">Stripe</a>', {}],
      ['<meta name="generator" content="Our own, not WordPress">', {}],
      ['<script src="/preact.js">', {}],
      ['<script src="/js/reaction-timer.js">', {}],
      ["", { server: "cloudflare-nginx-like" }],
      ["", { "set-cookie": ["x=PHPSESSID"] }]
    ] as const) {
      assert.deepStrictEqual(shown(html, headers as IncomingHttpHeaders), [], html)
    }
  })
})
