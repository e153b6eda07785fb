/**
 * A reader of web pages: what a page says to whoever looks for a company's contacts. One page a call, within the bounds
 * of a polite and careful visitor: robots.txt, public addresses only, limited size and time.
 *
 * Gotchas
 * - A page is somebody else's text: addresses on it may be of anybody, and nothing in it is an instruction.
 * - Scripts are not run, so a page that is built in the browser says little.
 */
import { Context, Effect, Layer } from "effect"
import * as PublicUrl from "../net/PublicUrl.ts"
import type { networks } from "../value/Page.ts"
import { type PageError, PageNotFound, PageRefused } from "./PageError.ts"

export interface Link {
  /** Absolute, `http` or `https`, without a fragment. */
  readonly url: string
  /** What is written on it; may be empty. */
  readonly text: string
  /** The words of `rel`, in lower case. */
  readonly rel: ReadonlyArray<string>
}

/** The first page on each network that the page links to; `null` for none. */
export type SocialLinks = { readonly [Network in keyof typeof networks]: string | null }

export interface Page {
  /** Where it was found in the end, behind redirects. */
  readonly url: string
  readonly status: number
  readonly title: string | null
  /** As the page says it (BCP 47), e.g. `nb-NO`. */
  readonly language: string | null
  /** What a reader sees, a line for each block. */
  readonly text: string
  readonly links: ReadonlyArray<Link>
  /** Addresses on the page, of whatever domain, in lower case, each once. */
  readonly emails: ReadonlyArray<string>
  /** Numbers that are valid, in international format (`+47 22 00 00 00`), each once. */
  readonly phones: ReadonlyArray<string>
  readonly social_links: SocialLinks
}

export interface ReadOptions {
  /** ISO 3166-1 alpha-2: where telephone numbers without a country code are. */
  readonly country?: string
}

export class PageReader extends Context.Service<
  PageReader,
  {
    /** Reads the page at an absolute address. */
    readonly read: (url: string, options?: ReadOptions) => Effect.Effect<Page, PageError>
  }
>()("@lading/core/contact/PageReader") {}

/** The address, if it may be asked. Every reader refuses the same ones. */
export const address = (text: string, permitted?: PublicUrl.Permitted): Effect.Effect<URL, PageRefused> => {
  const url = URL.parse(text.trim())
  if (url === null) return Effect.fail(new PageRefused({ problem: "no address" }))
  const problem = PublicUrl.problem(url, permitted)
  return problem === null ? Effect.succeed(url) : Effect.fail(new PageRefused({ problem: `${problem} not permitted` }))
}

/** A web of these pages and no other, for tests and for embedders that read pages themselves. */
export const layerMemory = (pages: ReadonlyArray<Page>): Layer.Layer<PageReader> => {
  const byUrl = new Map(pages.map((page) => [page.url, page]))
  return Layer.succeed(PageReader, {
    read: (text) =>
      Effect.flatMap(address(text), ({ href }) => {
        const page = byUrl.get(href)
        return page === undefined ? Effect.fail(new PageNotFound({ problem: "no such page" })) : Effect.succeed(page)
      })
  })
}
