/** Which process works on a load: of two that go on with the same file, the one that began last. */
export const owner: ReadonlyArray<string> = ["ALTER TABLE load_entry ADD COLUMN IF NOT EXISTS owner String"]
