/** `Buckets` that several servers share: one script for all buckets of a request, by the clock of Redis. */
import { Effect } from "effect"
import { Redis } from "effect/persistence"
import { type Bucket, pace, type Taken } from "../limits/Buckets.ts"

/**
 * Of each bucket the moment is kept at which it is full again, and as long as it is not. The same arithmetic as that of
 * `Buckets.layerMemory`.
 */
const script = Redis.script(
  (prefix: string, buckets: ReadonlyArray<Bucket>) => [
    ...buckets.map(({ name }) => `${prefix}${name}`),
    ...buckets.flatMap(({ rate }) => [pace(rate), rate.window])
  ],
  {
    numberOfKeys: (_, buckets) => buckets.length,
    lua: `
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local full = {}
local taken = 1
for index, key in ipairs(KEYS) do
  local pace = tonumber(ARGV[2 * index - 1])
  local window = tonumber(ARGV[2 * index])
  full[index] = math.max(0, (tonumber(redis.call("GET", key)) or 0) - now)
  if full[index] + pace > window + 0.001 then taken = 0 end
end
local answer = { taken }
for index, key in ipairs(KEYS) do
  if taken == 1 then
    full[index] = full[index] + tonumber(ARGV[2 * index - 1])
    redis.call("SET", key, string.format("%.17g", now + full[index]), "PX", math.max(1, math.ceil(full[index])))
  end
  answer[index + 1] = string.format("%.17g", full[index])
end
return answer
`
  }
).withReturnType<readonly [taken: number, ...full: ReadonlyArray<string>]>()

export const make = (redis: Redis.Redis["Service"], prefix: string) => {
  const run = redis.eval(script)
  return {
    take: (buckets: ReadonlyArray<Bucket>): Effect.Effect<Taken, Redis.RedisError> =>
      Effect.map(run(prefix, buckets), ([taken, ...full]) => ({ taken: Number(taken) === 1, full: full.map(Number) }))
  }
}
