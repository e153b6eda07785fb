/** What an account may send, where that is not what every account may. */
export const statements: ReadonlyArray<string> = [
  `alter table lading.accounts
    add column requests_per_minute int check (requests_per_minute >= 0),
    add column requests_at_once int check (requests_at_once >= 0)`
]
