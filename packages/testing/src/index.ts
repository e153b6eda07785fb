export * as Generators from "./generators/index.ts"
export * as Population from "./population/index.ts"
export * as ScriptedSource from "./scripted/ScriptedSource.ts"
export * as Simulator from "./simulator/Simulator.ts"
