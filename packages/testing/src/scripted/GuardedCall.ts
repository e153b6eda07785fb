/** A call of a company source through a `Guard`, as the waterfall would make it: for tests of what stands around calls. */
import { Credits } from "@lading/core/billing"
import { Guard, type Source } from "@lading/core/waterfall"

/** The slot that is asked. */
export const slot = "s"

/** Asks the source once, with the platform's credential unless another is named. */
export const make = (
  guard: Guard.Guard,
  adapter: Source.Source,
  credential: Guard.CredentialNames = Guard.platformCredential(slot)
) => {
  if (adapter.company === undefined) throw new Error("the source knows no companies")
  return guard.call<"company">({
    step: {
      source: slot,
      adapter,
      serve: adapter.company,
      credential: { _tag: "None" },
      ownKey: false,
      price: { operation: "company", source: slot, kind: "per_hit", ownKey: false },
      worst: Credits.fromNumber(1)
    },
    identity: { domain: "acme.example", name: null },
    credential,
    flight: { asked: null, trouble: null, handle: null }
  })
}
