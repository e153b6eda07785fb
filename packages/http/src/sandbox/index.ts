export * as KeyFile from "./KeyFile.ts"
export * as Simulation from "./Simulation.ts"
