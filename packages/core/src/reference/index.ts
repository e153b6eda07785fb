export * as Codes from "./Codes.ts"
export * as Industries from "./Industries.ts"
export * as Search from "./Search.ts"
export * as Technologies from "./Technologies.ts"
