/**
 * The first schema.
 *
 * - `trade_record`: every record of every load, also those that do not count. The month first, then the product: what
 *   markets and searches ask for. In small blocks, since a company's records lie far apart.
 * - `trader_record`: a copy by trader, a row for each side of a record that counts, with all that is shown of a record.
 *   Every question about one trader reads only this: a trader's rows stand side by side, in small blocks.
 * - `trader_fact`, `trader_total`, `trader_key`, `key_size`: what is known of traders, and how many have a key, as changes
 *   that are summed.
 * - `party_key`: the index keys of a party as it is written.
 * - `load_entry`, `publication`: the journal of loads, and what readers see.
 *
 * A row is there for readers of publication `v` while `load <= v AND ended > v`. `origin` is the load whose file it comes
 * from, which is an earlier one where a record counts again; `withdrawn` the one that replaced that file.
 */

/** The end of what has not ended. */
export const open = 4_294_967_295

const parties = ["importer", "exporter"]
  .map(
    (side) => `
  ${side}_name String,
  ${side}_words String,
  ${side}_country LowCardinality(String),
  ${side}_tax_id String,
  ${side}_address String CODEC(ZSTD(1)),`
  )
  .join("")

/** What is said of a record in both tables of records. */
const said = `
  source LowCardinality(String),
  key String CODEC(ZSTD(1)),
  version Int64,
  flow Enum8('import' = 1, 'export' = 2),
  date Date32 CODEC(Delta(4), ZSTD(1)),${parties}
  origin_country LowCardinality(String),
  destination_country LowCardinality(String),
  hs_raw LowCardinality(String),
  hs_code LowCardinality(String),
  hs_imputed Bool,
  description String CODEC(ZSTD(1)),
  words String CODEC(ZSTD(1)),
  keywords Array(LowCardinality(String)),
  quantity Nullable(Float64),
  quantity_unit LowCardinality(String),
  quantity_unit_raw LowCardinality(String),
  gross_kg Nullable(Float64),
  net_kg Nullable(Float64),
  amount Nullable(Float64),
  currency LowCardinality(String),
  amount_kind LowCardinality(String),
  amount_usd Nullable(Float64),
  packages Nullable(Float64),
  package_kind LowCardinality(String),
  teu Nullable(Float64),
  port_of_loading LowCardinality(String),
  port_of_unloading LowCardinality(String),
  ports Array(LowCardinality(String)),
  transport LowCardinality(String),
  bill_number String CODEC(ZSTD(1)),
  master_bill_number String CODEC(ZSTD(1)),
  synthetic Bool`

const [sellerCountry, buyerCountry] = [
  "if(origin_country != '', origin_country, exporter_country)",
  "if(destination_country != '', destination_country, importer_country)"
]

const smallBlocks = "index_granularity = 1024, min_compress_block_size = 4096, max_compress_block_size = 16384"

const record = `CREATE TABLE IF NOT EXISTS trade_record (
  load UInt32,
  ended UInt32 DEFAULT ${open},
  origin UInt32 DEFAULT load,
  withdrawn UInt32 DEFAULT ${open},
  row_id UInt64,
  record_id UInt64 DEFAULT sipHash64(source, key),
  importer_id UInt64,
  exporter_id UInt64,${said},
  seller_country LowCardinality(String) DEFAULT ${sellerCountry},
  buyer_country LowCardinality(String) DEFAULT ${buyerCountry},
  INDEX ix_words words TYPE text(tokenizer = splitByString([' '])),
  INDEX ix_importer importer_words TYPE text(tokenizer = splitByString([' '])),
  INDEX ix_exporter exporter_words TYPE text(tokenizer = splitByString([' ']))
) ENGINE = MergeTree PARTITION BY toYear(date) ORDER BY (toStartOfMonth(date), hs_code, date)
SETTINGS ${smallBlocks}`

const traderRecord = `CREATE TABLE IF NOT EXISTS trader_record (
  load UInt32,
  ended UInt32 DEFAULT ${open},
  row_id UInt64,
  trader_id UInt64,
  role Enum8('importer' = 1, 'exporter' = 2),
  partner_id UInt64,
  partner_country LowCardinality(String),
  weight_kg Nullable(Float64),${said},
  importer_id UInt64 ALIAS if(role = 'importer', trader_id, partner_id),
  exporter_id UInt64 ALIAS if(role = 'exporter', trader_id, partner_id),
  seller_country LowCardinality(String) ALIAS ${sellerCountry},
  buyer_country LowCardinality(String) ALIAS ${buyerCountry}
) ENGINE = MergeTree ORDER BY (trader_id, role, date)
SETTINGS ${smallBlocks}`

/** Where hundreds of traders, names or keys are looked up at once, a block of each is read. */
const scattered = "index_granularity = 256, min_compress_block_size = 4096, max_compress_block_size = 16384"

const traderFact = `CREATE TABLE IF NOT EXISTS trader_fact (
  load UInt32,
  trader_id UInt64,
  kind Enum8('name' = 1, 'country' = 2, 'address' = 3, 'tax_id' = 4),
  value String,
  words String,
  records Int64,
  INDEX ix_words words TYPE text(tokenizer = splitByString([' ']))
) ENGINE = MergeTree ORDER BY (trader_id, kind, value)
SETTINGS ${scattered}`

const traderTotal = `CREATE TABLE IF NOT EXISTS trader_total (
  load UInt32,
  trader_id UInt64,
  role Enum8('either' = 0, 'importer' = 1, 'exporter' = 2),
  records Int64,
  weighed Int64,
  weight_kg Float64,
  valued Int64,
  amount_usd Float64,
  kinds Map(LowCardinality(String), Int64)
) ENGINE = MergeTree ORDER BY (trader_id, role)
SETTINGS ${scattered}`

const traderKey = `CREATE TABLE IF NOT EXISTS trader_key (
  load UInt32,
  key String,
  trader_id UInt64,
  country LowCardinality(String),
  records Int64
) ENGINE = MergeTree ORDER BY (key, trader_id)
SETTINGS ${scattered}`

const keySize = `CREATE TABLE IF NOT EXISTS key_size (
  load UInt32,
  key String,
  traders Int64
) ENGINE = MergeTree ORDER BY key
SETTINGS ${scattered}`

const partyKey = `CREATE TABLE IF NOT EXISTS party_key (
  name String EPHEMERAL,
  tax_id String EPHEMERAL,
  party UInt64 DEFAULT sipHash64(name, tax_id),
  keys Array(String)
) ENGINE = ReplacingMergeTree ORDER BY party`

const entry = `CREATE TABLE IF NOT EXISTS load_entry (
  number UInt64,
  load UInt32,
  state Enum8('open' = 1, 'publishing' = 2, 'published' = 3, 'abandoned' = 4),
  name String,
  digest String,
  format LowCardinality(String),
  replaces String,
  part UInt32,
  position String,
  rows UInt64,
  rejected UInt64,
  at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (load, number)`

const publication = `CREATE TABLE IF NOT EXISTS publication (
  version UInt32,
  newest Date32,
  records UInt64,
  traders UInt64,
  added UInt64,
  replaced UInt64,
  at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY version`

/** Rows that a publication is about, while it is made. */
const scratch = [
  `CREATE TABLE IF NOT EXISTS judged (load UInt32, record_id UInt64, own Bool) ENGINE = MergeTree PARTITION BY load ORDER BY record_id`,
  `CREATE TABLE IF NOT EXISTS winner (load UInt32, record_id UInt64, row_id UInt64, bill UInt64, master UInt64) ENGINE = MergeTree PARTITION BY load ORDER BY record_id`,
  `CREATE TABLE IF NOT EXISTS loser (load UInt32, row_id UInt64, back Bool) ENGINE = MergeTree PARTITION BY load ORDER BY row_id`
]

export const tables: ReadonlyArray<string> = [
  record,
  traderRecord,
  traderFact,
  traderTotal,
  traderKey,
  keySize,
  partyKey,
  entry,
  publication,
  ...scratch
]
