/**
 * Technologies that a site shows: a small table of our own. A row says where a mark stands and what it looks like; only
 * marks that nobody else leaves are in it. What a company uses behind its site cannot be seen and is not guessed.
 */
import type { IncomingHttpHeaders } from "node:http"
import type { Markup } from "./Html.ts"

/** Where a page's marks are looked for. */
interface Marks {
  readonly headers: IncomingHttpHeaders
  readonly markup: Markup
}

interface Fingerprint {
  readonly name: string
  /** Of `<meta name=generator>`. */
  readonly generator?: RegExp
  /** Of the address of a script or a style sheet. */
  readonly script?: RegExp
  /** Of a script that stands in the page. */
  readonly inline?: RegExp
  /** Of a header's value. */
  readonly header?: readonly [name: string, value: RegExp]
  /** Of the name of a cookie. */
  readonly cookie?: RegExp
}

const any = /^/

const table: ReadonlyArray<Fingerprint> = [
  // Content management and shops.
  { name: "WordPress", generator: /^wordpress/i, script: /\/wp-(?:content|includes)\// },
  { name: "WooCommerce", generator: /^woocommerce/i, script: /\/plugins\/woocommerce\// },
  { name: "Elementor", generator: /^elementor/i, script: /\/plugins\/elementor\// },
  { name: "Drupal", generator: /^drupal/i, header: ["x-drupal-cache", any], script: /\/sites\/default\/files\/js\// },
  { name: "Joomla", generator: /^joomla/i, script: /\/media\/jui\/js\// },
  { name: "TYPO3", generator: /^typo3/i, script: /\/typo3(?:conf|temp)\// },
  { name: "Contao", generator: /^contao/i },
  { name: "Craft CMS", header: ["x-powered-by", /craft cms/i], cookie: /^CraftSessionId$/ },
  { name: "Ghost", generator: /^ghost/i },
  { name: "Hugo", generator: /^hugo/i },
  { name: "Jekyll", generator: /^jekyll/i },
  { name: "Gatsby", generator: /^gatsby/i },
  { name: "Astro", generator: /^astro/i },
  { name: "Wix", generator: /^wix\.com/i, script: /\/\/static\.parastorage\.com\//, header: ["x-wix-request-id", any] },
  { name: "Squarespace", generator: /^squarespace/i, script: /\/\/(?:static1|assets)\.squarespace\.com\// },
  { name: "Webflow", generator: /^webflow/i, script: /\/\/(?:assets|cdn)\.(?:prod\.)?website-files\.com\// },
  { name: "Weebly", generator: /^weebly/i, script: /\/\/cdn\d*\.editmysite\.com\// },
  { name: "Jimdo", generator: /^jimdo/i, script: /\/\/(?:assets|u)\.jimstatic\.com\// },
  { name: "Shopify", header: ["x-shopid", any], script: /\/\/cdn\.shopify\.com\// },
  { name: "Magento", script: /\/static\/version\d+\/frontend\//, cookie: /^X-Magento-Vary$/ },
  { name: "PrestaShop", generator: /^prestashop/i, cookie: /^PrestaShop-/ },
  { name: "Shopware", generator: /^shopware/i, header: ["sw-version-id", any] },
  { name: "BigCommerce", script: /\/\/cdn\d*\.bigcommerce\.com\// },
  // What a page is built with.
  { name: "React", script: /\/react(?:-dom)?(?:@|\.production|\.min|\.development|-\d)/ },
  { name: "Next.js", header: ["x-powered-by", /next\.js/i], script: /\/_next\/static\// },
  { name: "Vue.js", script: /\/vue(?:@|\.global|\.runtime|\.min|-\d)/ },
  { name: "Nuxt", script: /\/_nuxt\// },
  { name: "AngularJS", script: /\/angular(?:\.min|@1|\.js)/ },
  { name: "SvelteKit", script: /\/_app\/immutable\// },
  { name: "jQuery", script: /\/jquery(?:-\d[\d.]*)?(?:\.slim)?(?:\.min)?\.js/i },
  { name: "Bootstrap", script: /\/bootstrap(?:\.bundle)?(?:\.min)?\.(?:js|css)/i },
  // Marketing, measuring, talking to visitors.
  {
    name: "Google Analytics",
    script: /\/\/www\.google-analytics\.com\/|gtag\/js\?id=(?:G|UA)-/,
    inline: /\bgtag\(\s*['"]config['"]\s*,\s*['"](?:G|UA)-/
  },
  {
    name: "Google Tag Manager",
    script: /\/\/www\.googletagmanager\.com\/gtm\.js/,
    inline: /www\.googletagmanager\.com\/gtm\.js/
  },
  { name: "Matomo", script: /\/(?:matomo|piwik)\.js/, inline: /\b_paq\b/ },
  { name: "Plausible", script: /\/\/plausible\.io\/js\// },
  { name: "Hotjar", script: /\/\/static\.hotjar\.com\//, inline: /static\.hotjar\.com/ },
  {
    name: "Facebook Pixel",
    script: /\/\/connect\.facebook\.net\/[^/]+\/fbevents\.js/,
    inline: /connect\.facebook\.net\/[^/]+\/fbevents\.js/
  },
  { name: "LinkedIn Insight Tag", script: /\/\/snap\.licdn\.com\//, inline: /snap\.licdn\.com/ },
  {
    name: "HubSpot",
    generator: /^hubspot/i,
    script: /\/\/(?:js(?:-[a-z]+\d)?\.hs-scripts\.com|js\.hsforms\.net|js\.hs-analytics\.net)\//,
    cookie: /^__hs/
  },
  { name: "Salesforce", script: /\/\/[a-z0-9.-]+\.(?:salesforce|force)\.com\/|\/\/pi\.pardot\.com\// },
  { name: "Marketo", script: /\/\/munchkin\.marketo\.net\// },
  { name: "Mailchimp", script: /\/\/(?:[a-z0-9-]+\.)?list-manage\.com\/|\/\/chimpstatic\.com\// },
  { name: "Intercom", script: /\/\/widget\.intercom\.io\//, inline: /widget\.intercom\.io/ },
  { name: "Zendesk", script: /\/\/static\.zdassets\.com\// },
  { name: "Drift", script: /\/\/js\.driftt\.com\//, inline: /js\.driftt\.com/ },
  { name: "tawk.to", script: /\/\/embed\.tawk\.to\//, inline: /embed\.tawk\.to/ },
  { name: "Stripe", script: /\/\/js\.stripe\.com\// },
  { name: "PayPal", script: /\/\/www\.paypal(?:objects)?\.com\// },
  { name: "reCAPTCHA", script: /\/\/www\.(?:google|gstatic)\.com\/recaptcha\// },
  { name: "Cookiebot", script: /\/\/consent\.cookiebot\.com\// },
  { name: "OneTrust", script: /\/\/cdn\.cookielaw\.org\// },
  { name: "Sentry", script: /\/\/(?:browser|js)\.sentry-cdn\.com\// },
  // What serves it.
  { name: "Cloudflare", header: ["cf-ray", any] },
  { name: "Fastly", header: ["x-served-by", /^cache-[a-z]/i] },
  { name: "Akamai", header: ["server", /^akamai/i] },
  { name: "Amazon CloudFront", header: ["x-amz-cf-id", any] },
  { name: "Amazon S3", header: ["server", /^amazons3/i] },
  { name: "Vercel", header: ["x-vercel-id", any] },
  { name: "Netlify", header: ["x-nf-request-id", any] },
  { name: "GitHub Pages", header: ["x-github-request-id", any] },
  { name: "nginx", header: ["server", /^(?:nginx|openresty)/i] },
  { name: "Apache", header: ["server", /^apache(?!-coyote)/i] },
  { name: "LiteSpeed", header: ["server", /^litespeed/i] },
  { name: "Caddy", header: ["server", /^caddy/i] },
  { name: "Microsoft IIS", header: ["server", /^microsoft-iis/i] },
  { name: "Varnish", header: ["x-varnish", any] },
  { name: "PHP", header: ["x-powered-by", /^php/i], cookie: /^PHPSESSID$/ },
  { name: "ASP.NET", header: ["x-powered-by", /^asp\.net/i], cookie: /^ASP\.NET_SessionId$/ },
  { name: "Express", header: ["x-powered-by", /^express/i] },
  { name: "Java Servlet", cookie: /^JSESSIONID$/ },
  { name: "Laravel", cookie: /^laravel_session$/ },
  { name: "Ruby on Rails", header: ["x-powered-by", /phusion passenger/i] }
]

const headerText = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return (Array.isArray(value) ? value.join(", ") : (value ?? "")).slice(0, 1_000)
}

const leaves = (fingerprint: Fingerprint, { headers, markup }: Marks): boolean => {
  const { cookie, generator, header, inline, script } = fingerprint
  if (generator?.test(markup.meta.get("generator") ?? "") === true) return true
  if (header !== undefined && headers[header[0]] !== undefined && header[1].test(headerText(headers, header[0])))
    return true
  if (cookie !== undefined && (headers["set-cookie"] ?? []).some((one) => cookie.test(one.split("=", 1)[0] ?? "")))
    return true
  if (inline?.test(markup.inline) === true) return true
  return (
    script !== undefined &&
    [...markup.scripts, ...markup.relations.map(({ href }) => href)].some((url) => script.test(url))
  )
}

/** The names of what the page shows, in the order of the table. */
export const technologies = (marks: Marks): ReadonlyArray<string> =>
  table.filter((fingerprint) => leaves(fingerprint, marks)).map(({ name }) => name)
