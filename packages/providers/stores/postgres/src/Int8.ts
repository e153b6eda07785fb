/** `bigint` in SQL, a safe integer here. */

/** What is beyond the safe integers (a life-time without end) is the greatest of them. */
export const safe = (value: number): number => Math.min(Math.round(value), Number.MAX_SAFE_INTEGER)

/** A parameter of type `bigint`. */
export const from = (value: number): bigint => BigInt(safe(value))

export const fromNullable = (value: number | null): bigint | null => (value === null ? null : from(value))
