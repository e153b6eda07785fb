/** Digests under which subjects are found: what is kept of a handle says nothing to whoever reads the table. */
import { createHash } from "node:crypto"

/** Lower-case hex SHA-256. */
export const digestOf = (handle: string): string => createHash("sha256").update(handle).digest("hex")
