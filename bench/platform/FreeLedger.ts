/** In the place of `packages/providers/stores/postgres/src/Ledger.ts`: the ledger of those who bill nobody. */
import { Ledger } from "@lading/core/billing"

export const layer = Ledger.layerUnmetered
