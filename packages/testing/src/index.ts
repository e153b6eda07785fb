export * as Simulator from "./simulator/Simulator.ts"
