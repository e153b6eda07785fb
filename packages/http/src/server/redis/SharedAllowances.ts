/**
 * `Allowances` that several servers share, by the clock of Redis. Calls in the air are a set with the moment at which each
 * must have ended, so that those of a process that died do not count for long.
 */
import { type Allowance, Allowances } from "@lading/core/waterfall"
import { Clock, Effect } from "effect"
import { Redis } from "effect/persistence"
import { randomUUID } from "node:crypto"

/** No call is in the air for longer, in milliseconds. */
const longest = 120_000

const now = `
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`

const takeScript = Redis.script((said: string) => [said], {
  numberOfKeys: 1,
  lua: `${now}
local said = redis.call("HMGET", KEYS[1], "remaining", "reset")
local reset = tonumber(said[2])
if not reset or reset <= now then return 0 end
if tonumber(said[1]) < 1 then return reset - now end
redis.call("HINCRBY", KEYS[1], "remaining", -1)
return 0
`
}).withReturnType<number>()

const beginScript = Redis.script((calls: string, call: string) => [calls, call, longest], {
  numberOfKeys: 1,
  lua: `${now}
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now)
redis.call("ZADD", KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
redis.call("PEXPIRE", KEYS[1], tonumber(ARGV[2]))
return 1
`
}).withReturnType<number>()

const hearScript = Redis.script(
  (said: string, calls: string, remaining: number, millis: number) => [said, calls, remaining, millis],
  {
    numberOfKeys: 2,
    lua: `${now}
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", now)
local others = math.max(0, redis.call("ZCARD", KEYS[2]) - 1)
local millis = tonumber(ARGV[2])
if millis < 1 then
  redis.call("DEL", KEYS[1])
  return 0
end
local remaining = math.max(0, math.floor(tonumber(ARGV[1])) - others)
redis.call("HSET", KEYS[1], "remaining", string.format("%.0f", remaining), "reset", string.format("%.0f", now + millis))
redis.call("PEXPIRE", KEYS[1], string.format("%.0f", millis))
return 1
`
  }
).withReturnType<number>()

export const make = (redis: Redis.Redis["Service"], prefix: string) => {
  const [take, begin, hear] = [redis.eval(takeScript), redis.eval(beginScript), redis.eval(hearScript)]
  // In braces: what is asked together stays together on a server that spreads keys.
  const said = (name: string) => `${prefix}{${name}}:said`
  const calls = (name: string) => `${prefix}{${name}}:calls`
  return {
    take: (name: string): Effect.Effect<number, Redis.RedisError> => take(said(name)),
    begin: (name: string): Effect.Effect<Effect.Effect<void>, Redis.RedisError> =>
      Effect.suspend(() => {
        const call = randomUUID()
        return Effect.as(begin(calls(name), call), Effect.ignore(redis.send("ZREM", calls(name), call)))
      }),
    hear: (name: string, { remaining, resetAt }: Allowance.Allowance): Effect.Effect<void, Redis.RedisError> =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        const millis = Math.ceil(Math.min(resetAt - at, Allowances.believed))
        // What a vendor says may be any number.
        return Effect.asVoid(hear(said(name), calls(name), Math.min(remaining, 1e15), millis))
      })
  }
}
