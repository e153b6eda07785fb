/** Whether somebody agrees to be charged for a list: asked on a terminal, or said by `--yes`. */
import { Credits, PriceBook } from "@lading/core/billing"
import { Effect } from "effect"
import { createInterface } from "node:readline/promises"
import * as Print from "../Print.ts"
import { CannotBegin } from "../rows/Problem.ts"

const standard = PriceBook.emailFee(PriceBook.standard)

const amount = (credits: Credits.Credits): string => Print.number(Credits.toNumber(credits))

/** A server does not tell its prices for lists; by the standard ones most of them go. */
const priceOf = (addresses: number): string =>
  `${Print.number(addresses)} addresses, billed to the account of the key: ${amount(standard)} credits for each definite result ` +
  `where the server has the standard price, ${amount(Credits.times(standard, addresses))} at most`

const answered = Effect.callback<boolean>((resume) => {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  asking.once("close", () => resume(Effect.succeed(false)))
  void asking.question("Go on? [y/N] ").then((text) => {
    resume(Effect.succeed(/^y(es)?$/i.test(text.trim())))
    asking.close()
  })
  return Effect.sync(() => asking.close())
})

export const ask = Effect.fnUntraced(function* (addresses: number) {
  const price = priceOf(addresses)
  if (!process.stdin.isTTY) return yield* new CannotBegin({ problem: `${price}; --yes agrees` })
  yield* Effect.sync(() => void process.stderr.write(`${price}.\n`))
  if (!(yield* answered)) return yield* new CannotBegin({ problem: "not agreed; nothing was sent" })
})
