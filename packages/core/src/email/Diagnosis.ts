/** Why a text is no mail address: a closed set of words, each with one sentence for whoever wrote the text. */
import { Schema } from "effect"

/** Each is about the text as a whole, the part before the `@` (`local_…`), or the one behind it (`domain_…`). */
export const Diagnosis = Schema.Literals([
  "empty",
  "control_character",
  "invisible_character",
  "no_at",
  "two_ats",
  "blank",
  "comment",
  "address_too_long",
  "no_local_part",
  "local_too_long",
  "local_quotes",
  "local_dots",
  "local_character",
  "no_domain",
  "domain_too_long",
  "domain_dots",
  "domain_label_too_long",
  "domain_hyphen",
  "domain_character",
  "domain_international",
  "domain_numeric",
  "domain_literal"
])
export type Diagnosis = typeof Diagnosis.Type

/** What to tell whoever wrote it. */
export const sentences: Readonly<Record<Diagnosis, string>> = {
  empty: "There is no text.",
  control_character: "A control character, a line break or half of a character stands in it.",
  invisible_character: "A character that nobody can see stands in it.",
  no_at: 'There is no "@".',
  two_ats: 'There is more than one "@".',
  blank: "A blank stands in it.",
  comment: "A comment in brackets is for headers of messages, not for delivery.",
  address_too_long: "It is longer than 254 octets.",
  no_local_part: 'Nothing stands before the "@".',
  local_too_long: 'The part before the "@" is longer than 64 octets.',
  local_quotes: 'The part before the "@" has a quotation mark, but is not quoted as a whole.',
  local_dots: 'The part before the "@" begins or ends with a dot, or has two in a row.',
  local_character: 'The part before the "@" has a character that needs quotation marks.',
  no_domain: 'Nothing stands behind the "@".',
  domain_too_long: "The domain is longer than 255 octets.",
  domain_dots: "The domain begins or ends with a dot, or has two in a row.",
  domain_label_too_long: "A part of the domain is longer than 63 octets.",
  domain_hyphen: "A part of the domain begins or ends with a hyphen.",
  domain_character: "The domain has a character other than letters, digits, hyphens and dots.",
  domain_international: "The domain has letters that cannot stand together in a domain name.",
  domain_numeric: "The domain ends in a number: an IP address is written in square brackets.",
  domain_literal: "What stands in square brackets is no IP address."
}
