/**
 * What a session may still spend: its cap, less what its calls were charged, less the most that those may cost that run
 * now. Reserving does not wait, so calls side by side never pass the cap together.
 */
import { Credits } from "@lading/core/billing"

/** Credits of a session. */
export interface State {
  readonly cap: Credits.Credits
  readonly spent: Credits.Credits
  /** For calls that run. */
  readonly reserved: Credits.Credits
  readonly left: Credits.Credits
}

export interface Budget {
  readonly state: () => State
  /** From now on no more than this; more than before is as before. */
  readonly lower: (cap: Credits.Credits) => void
  /** Takes the most that a call may cost; whether it fits. */
  readonly reserve: (worst: Credits.Credits) => boolean
  /** The call has ended, for this price. */
  readonly settle: (worst: Credits.Credits, charged: Credits.Credits) => void
}

export const make = (most: Credits.Credits): Budget => {
  let cap = most
  let spent = Credits.zero
  let reserved = Credits.zero
  const left = () => Credits.subtract(cap, Credits.add(spent, reserved))
  return {
    state: () => ({ cap, spent, reserved, left: left() }),
    lower: (limit) => {
      cap = Credits.min(cap, limit)
    },
    reserve: (worst) => {
      if (worst > left()) return false
      reserved = Credits.add(reserved, worst)
      return true
    },
    settle: (worst, charged) => {
      reserved = Credits.subtract(reserved, worst)
      spent = Credits.add(spent, charged)
    }
  }
}
