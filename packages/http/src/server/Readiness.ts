/**
 * Readiness: whether this process should be sent requests. It is ready while every store answers that it cannot do without,
 * and nobody has asked it to stop; `/ready` shows it to the balancer. Draining is one-way: a server that stops does not
 * come back.
 */
import { Context, Effect, Layer, Ref } from "effect"

/** How one store shows whether it answers. */
export interface Probe {
  /** As it stands in the answer of `/ready`, e.g. `ledger`. */
  readonly name: string
  readonly ok: Effect.Effect<boolean>
  /** Whether requests can be served without it: then it is named, and the server is ready all the same. */
  readonly spared: boolean
}

/** A store that takes longer than this does not answer. */
const patience = "2 seconds"

/** A store answers when this succeeds in time, whatever it gives. */
export const probe = <A, E>(
  name: string,
  check: Effect.Effect<A, E>,
  options?: { readonly spared: boolean }
): Probe => ({
  name,
  spared: options?.spared ?? false,
  ok: check.pipe(Effect.timeout(patience), Effect.matchCause({ onSuccess: () => true, onFailure: () => false }))
})

export interface Store {
  readonly name: string
  readonly ok: boolean
  readonly spared: boolean
}

export class Readiness extends Context.Service<
  Readiness,
  {
    /** Every store, in the order of the probes; never fails. */
    readonly check: Effect.Effect<ReadonlyArray<Store>>
    readonly draining: Effect.Effect<boolean>
    /** From now on the process is not ready, whatever the stores say. */
    readonly drain: Effect.Effect<void>
  }
>()("@lading/http/server/Readiness") {}

/** Readiness by probes; `probes` is an effect so that they can be made from the stores' own services. */
export const layer = <E = never, R = never>(
  probes: Effect.Effect<ReadonlyArray<Probe>, E, R>
): Layer.Layer<Readiness, E, R> =>
  Layer.effect(
    Readiness,
    Effect.gen(function* () {
      const all = yield* probes
      const draining = yield* Ref.make(false)
      return {
        check: Effect.forEach(all, ({ name, ok, spared }) => Effect.map(ok, (ok) => ({ name, ok, spared })), {
          concurrency: "unbounded"
        }),
        draining: Ref.get(draining),
        drain: Ref.set(draining, true)
      }
    })
  )
