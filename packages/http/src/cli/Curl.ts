/** `curl` lines that work as pasted into a POSIX shell. */

/** In single quotes, in which nothing has a meaning but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** One line that posts the body as JSON. */
export const post = (url: string, key: string, body: unknown): string =>
  [
    `curl -s ${/^[\w.:/-]+$/.test(url) ? url : quoted(url)}`,
    `-H ${quoted(`Authorization: Bearer ${key}`)}`,
    `-H ${quoted("Content-Type: application/json")}`,
    `-d ${quoted(JSON.stringify(body))}`
  ].join(" ")
