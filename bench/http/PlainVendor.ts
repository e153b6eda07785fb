/**
 * The adapter `plain` as `lading serve` would load it, without the pace of its vendor: 50 calls a second, eight at a
 * time, would be all that is measured. `Probe.ts` puts it in the place of `packages/http/src/sandbox/PlainVendor.ts`.
 */
import * as Plain from "@lading/testing/plain"

const limits = { concurrency: 1000, rate: { calls: 1_000_000, window: 1000 } }

export const make = ({ baseUrl = "http://127.0.0.1" }: { readonly baseUrl?: string }) => Plain.make({ baseUrl, limits })
