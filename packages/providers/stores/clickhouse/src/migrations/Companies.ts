/**
 * The index of companies.
 *
 * - `company_profile`: companies that were put, each version a row; the newest of a name counts, and of several that are
 *   one company the one that was put last. `trader_id` is the trader
 *   that it is one with, 0 for none: by its domain (`tie`), else by its name and country.
 * - `company`: what is searched, a row for each company and account: profile and trader in one, with all that is shown.
 * - `company_past`: rows of `company` that others have taken the place of. They are left out by their numbers, which costs
 *   a question far less than looking for the newest row of each company, and deleted when there are many.
 * - `company_load`: up to which publication traders are in `company`.
 *
 * `starts` has the beginnings of the words, so that the text index finds a word that is not written to its end.
 * `found_by` has `d:<domain>` and `n:<country>:<name key>`.
 */

/** Characters of the longest beginning that is indexed. */
export const START = 10

const said = `
  name String,
  name_words String,
  words String,
  country LowCardinality(String),
  domain String,
  found_by Array(String),
  industries Array(String),
  paths Array(String),
  technologies Array(String),
  least_employees Nullable(Int64),
  most_employees Nullable(Int64),
  founded Nullable(Int64),
  known UInt8,
  shown String CODEC(ZSTD(1))`

const profile = `CREATE TABLE IF NOT EXISTS company_profile (
  generation UInt64,
  put UInt64,
  account String,
  profile_id String,
  tie UInt64,
  trader_id UInt64,
  name_key String,${said},
  INDEX ix_trader trader_id TYPE bloom_filter GRANULARITY 1,
  INDEX ix_found found_by TYPE text(tokenizer = array)
) ENGINE = MergeTree ORDER BY (profile_id, account)
SETTINGS index_granularity = 1024`

const company = `CREATE TABLE IF NOT EXISTS company (
  row_id UInt64,
  generation UInt64,
  account String,
  company_id String,
  trader_id UInt64,
  aliases Array(String) CODEC(ZSTD(1)),
  starts Array(String),
  records Int64,
  imports Int64,
  exports Int64,${said},
  INDEX ix_account account TYPE bloom_filter GRANULARITY 1,
  INDEX ix_words words TYPE text(tokenizer = splitByString([' '])),
  INDEX ix_starts starts TYPE text(tokenizer = array),
  INDEX ix_found found_by TYPE text(tokenizer = array),
  INDEX ix_paths paths TYPE text(tokenizer = array),
  INDEX ix_technologies technologies TYPE text(tokenizer = array)
) ENGINE = MergeTree ORDER BY (company_id, account)
SETTINGS index_granularity = 1024`

export const companies: ReadonlyArray<string> = [
  profile,
  company,
  `CREATE TABLE IF NOT EXISTS company_past (row_id UInt64, generation UInt64) ENGINE = MergeTree ORDER BY row_id`,
  `CREATE TABLE IF NOT EXISTS company_load (version UInt32) ENGINE = MergeTree ORDER BY version`
]
