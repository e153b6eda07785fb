/**
 * Takes a credential out of what a simulator records, for vendors that want it in the query or in the body.
 */
const MARK = "<redacted>"

/** `credential` may be `<id>:<secret>`: each part is taken out too, since a body carries them apart. */
export const redacted = (credential: string | null) => {
  const secrets = (credential === null ? [] : [credential, ...credential.split(":")]).filter((part) => part !== "")
  const text = (value: string): string => secrets.reduce((kept, secret) => kept.replaceAll(secret, MARK), value)
  const json = (value: unknown): unknown => {
    if (typeof value === "string") return text(value)
    if (Array.isArray(value)) return value.map(json)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, json(inner)]))
  }
  return { text, json }
}
