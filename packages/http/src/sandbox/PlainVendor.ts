/** The adapter `plain`: the vendor that does not exist, behind the same options as every real one. */
import * as Plain from "@lading/testing/plain"
import type * as Adapters from "../server/Adapters.ts"

/** Its address is always given: `Adapters.needsBaseUrl`. */
export const make: Adapters.Make = ({ baseUrl = "http://127.0.0.1" }) => Plain.make({ baseUrl })
