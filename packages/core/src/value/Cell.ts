/**
 * Cells of tables that spreadsheets open. One that begins like a formula is text: they run `=…`, `+…`, `-…` and `@…`, and
 * what stands in these cells comes from somebody else. As OWASP advises (CSV injection), an apostrophe in front makes it
 * text. Numbers and phone numbers stay: without a letter nothing can be called.
 */
export const guarded = (cell: string): string =>
  /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) && !/^[+-][\d\s+\-.;()/]*$/.test(cell) ? `'${cell}` : cell
