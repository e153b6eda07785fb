/** Fails when an import breaks the dependency rule of the design. */
import { violations } from "./dependencyRule.ts"
import { ofPackages, report } from "./sources.ts"

report("Dependency rule", ofPackages().flatMap(violations))
