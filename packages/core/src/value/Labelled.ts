/**
 * A metric for each combination of labels, made once. Labels that are added at an update (`withAttributes`) are merged
 * and joined again at every single one.
 */
export const labelled = <M, const Names extends ReadonlyArray<string>>(
  names: Names,
  make: (attributes: Readonly<Record<string, string>>) => M
) => {
  const made = new Map<string, M>()
  return (...values: { readonly [K in keyof Names]: string }): M => {
    const key = values.join("|")
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])))
    made.set(key, fresh)
    return fresh
  }
}
