export * as Bill from "./Bill.ts"
export * as Credits from "./Credits.ts"
export * as Ledger from "./Ledger.ts"
export * as Postings from "./Postings.ts"
