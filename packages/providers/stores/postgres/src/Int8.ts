/** `bigint` in SQL, a safe integer here. */

/** A parameter of type `bigint`; what is beyond the safe integers (a life-time without end) is the greatest of them. */
export const from = (value: number): bigint => BigInt(Math.min(Math.round(value), Number.MAX_SAFE_INTEGER))

export const fromNullable = (value: number | null): bigint | null => (value === null ? null : from(value))
