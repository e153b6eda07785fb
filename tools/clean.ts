/** Removes what was built, so that a deleted source leaves nothing behind in a published package. */
import { globSync, rmSync } from "node:fs"

for (const folder of globSync(["packages/*/dist", "packages/providers/*/*/dist"])) rmSync(folder, { recursive: true })
