/**
 * Which paths there are and which methods each has, read off the interface itself. `HttpRouter` cannot tell an unknown
 * path from a wrong method, so the envelope asks here before the router is asked.
 */
import { FindMyWay } from "effect/http"
import { HttpApi } from "effect/http-api"
import { LadingApi } from "../api/LadingApi.ts"
import * as Documents from "./Documents.ts"
import * as Flags from "./Flags.ts"
import * as Mcp from "./mcp/Path.ts"

export interface Route {
  /** As declared, e.g. `/api/tasks/:task_id`; safe for labels and logs, unlike the path that was asked for. */
  readonly template: string
  readonly methods: ReadonlyArray<string>
}

const declared = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const methods = new Map<string, Array<string>>(
    [...Documents.paths, Flags.path].map((path) => [path, ["GET", "HEAD"]])
  )
  methods.set(Mcp.path, [...Mcp.methods])
  HttpApi.reflect(LadingApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const known = methods.get(endpoint.path) ?? []
      known.push(endpoint.method)
      // The router answers HEAD with the headers of GET.
      if (endpoint.method === "GET") known.push("HEAD")
      methods.set(endpoint.path, known)
    }
  })
  return methods
}

/** Whether it is asked with an API key, and its answers are about people and paid for. */
export const isPaid = ({ template }: Route): boolean => template.startsWith("/api/") || template === Mcp.path

/** Finds routes as the router does, by the same matcher with the same settings. */
export const make = (): ((url: string) => Route | null) => {
  const router = FindMyWay.make<Route>()
  for (const [template, methods] of declared()) {
    if (template.startsWith("/")) router.all(`/${template.slice(1)}`, { template, methods })
  }
  return (url) => router.find("GET", url)?.handler ?? null
}
