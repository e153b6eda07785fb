/** A server of its own that writes to one account as fast as it can, until it is killed: `Noise.ts <url> <account> <writers>`. */
import { Effect } from "effect"
import * as Writers from "./Writers.ts"

const [url = "", account = "", writers = "64"] = process.argv.slice(2)

process.on("disconnect", () => process.exit())

const noise = Effect.gen(function* () {
  const ledger = yield* Writers.open(url)
  yield* Writers.endow(ledger, [account])
  process.send?.("begun")
  yield* Writers.write(ledger, {
    accounts: [account],
    writers: Number(writers),
    pause: 0,
    seconds: Number.POSITIVE_INFINITY
  })
})

await Effect.runPromise(Effect.scoped(noise))
