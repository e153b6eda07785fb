/** How a reader of web sites is set up, and its bounds. */
import type { Dns } from "effect/net"

export interface Options {
  /**
   * Scheme, host and port of a relay that every request is sent to in its absolute form, as to a proxy. No name is
   * resolved then. For simulators.
   */
  readonly baseUrl?: string
  /** Where names are looked up; the system's name servers by default, and no hosts file (`PublicNames`). */
  readonly dns?: Dns.Dns["Service"]
  /** Addresses that may be connected to although they are not public; none by default. */
  readonly permit?: (address: string) => boolean
  /** Ports that may be asked; 80 and 443 by default. */
  readonly ports?: ReadonlyArray<number>
  /** How the reader names itself; robots.txt is obeyed as `lading`, whatever stands here. */
  readonly userAgent?: string
  readonly time?: Partial<Time>
}

/** Milliseconds. */
export interface Time {
  /** For a connection. */
  readonly connect: number
  /** For robots.txt and the home page, with everything that is tried to reach them. */
  readonly home: number
  /** For one more page, with its redirects. */
  readonly page: number
  /** For all of these pages together. */
  readonly pages: number
}

/** Together less than what the source declares (`limits.timeout`). */
export const time: Time = { connect: 3_000, home: 6_000, page: 3_000, pages: 3_500 }

/** The most that a question may take. */
export const wholeTime = 10_000

/** Who asks, for robots.txt. */
export const robotName = "lading"

export const userAgent = "Mozilla/5.0 (compatible; Lading/0.1; reads company sites)"

/** Bytes of a page, as they come and as they are after decompression. */
export const PAGE_BYTES = 2 * 1024 * 1024

/** RFC 9309 asks for at least 500 KiB. */
export const ROBOTS_BYTES = 512 * 1024

export const REDIRECTS = 5

/** Pages beside the home page. */
export const MORE_PAGES = 4
