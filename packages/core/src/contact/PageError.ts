/**
 * Why a page of the web could not be read: a closed set, to be matched exhaustively by whoever reads pages.
 *
 * Gotcha: `problem` is for operators. It may name a status or a kind of trouble, never a text of the page.
 */
import { Schema } from "effect"

const problem = Schema.String

/** The address may not be asked: its scheme, its port, a user in it, or an address that is not public. */
export class PageRefused extends Schema.TaggedError<PageRefused>()("PageRefused", { problem }) {}

/** The site does not want to be read: robots.txt, or a status such as 401, 403 and 451. */
export class PageForbidden extends Schema.TaggedError<PageForbidden>()("PageForbidden", { problem }) {}

/** The name has no address. */
export class HostNotFound extends Schema.TaggedError<HostNotFound>()("HostNotFound", { problem }) {}

/** The site has no such page (404, 410). */
export class PageNotFound extends Schema.TaggedError<PageNotFound>()("PageNotFound", { problem }) {}

/** The page has gone to a site of somebody else, which is not followed. */
export class PageMoved extends Schema.TaggedError<PageMoved>()("PageMoved", { problem }) {}

/** No server takes a connection there: refused, no route, no answer, a certificate that cannot be trusted. */
export class PageUnreachable extends Schema.TaggedError<PageUnreachable>()("PageUnreachable", { problem }) {}

/** The server is busy or broken for now: 429, 5xx, a connection that broke off. `retryAfter` in milliseconds. */
export class PageUnavailable extends Schema.TaggedError<PageUnavailable>()("PageUnavailable", {
  problem,
  /** Whether it says that it was asked too often. */
  busy: Schema.Boolean,
  retryAfter: Schema.NullOr(Schema.Finite)
}) {}

/** The answer took longer than a page may. */
export class PageTimedOut extends Schema.TaggedError<PageTimedOut>()("PageTimedOut", { problem }) {}

/** What came is no page that can be read: another type, a broken encoding, a redirect that does not end. */
export class PageUnreadable extends Schema.TaggedError<PageUnreadable>()("PageUnreadable", { problem }) {}

export type PageError =
  | PageRefused
  | PageForbidden
  | HostNotFound
  | PageNotFound
  | PageMoved
  | PageUnreachable
  | PageUnavailable
  | PageTimedOut
  | PageUnreadable
