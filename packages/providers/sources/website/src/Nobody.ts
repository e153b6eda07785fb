/**
 * Pages that stand where no site is: a domain for sale, a server that was just installed, an account that was closed.
 * They speak of a hoster, never of a company.
 */
import type { Markup } from "./Html.ts"

const titles =
  /^(?:welcome to nginx!?|apache2? .*(?:default|test) page.*|test page for .*|iis windows server|index of \/|it works!?|default web ?site page|account suspended|site not found|website (?:coming soon|disabled)|plesk .*|domain (?:default page|parking|parked).*|under construction|coming soon|.*\bdomain(?: name)? (?:is|may be) for sale.*|.* is for sale.*|.*\bbuy this domain\b.*|.*\bparked (?:domain|free)\b.*|just a moment\.\.\.|attention required! \| cloudflare)$/i

const scripts =
  /\/\/(?:[a-z0-9-]+\.)*(?:sedoparking|parkingcrew|bodis|above|parklogic|hugedomains|dan|afternic|skenzo|undeveloped)\.(?:com|net)\//i

/** Whether the page is nobody's. */
export const isNobodys = ({ scripts: sources, title }: Markup): boolean =>
  (title !== null && title.length <= 200 && titles.test(title)) || sources.some((source) => scripts.test(source))
