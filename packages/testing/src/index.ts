export * as Population from "./population/index.ts"
export * as Simulator from "./simulator/Simulator.ts"
