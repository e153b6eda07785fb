export * as PageError from "./PageError.ts"
export * as PageReader from "./PageReader.ts"
