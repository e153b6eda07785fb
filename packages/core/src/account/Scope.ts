/** What an API key may do. */
import { Schema } from "effect"

export const Scope = Schema.Literals(["company", "people", "customs", "email", "tasks", "admin"])
export type Scope = typeof Scope.Type

export const all: ReadonlyArray<Scope> = Scope.literals
