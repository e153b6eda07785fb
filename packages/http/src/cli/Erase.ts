/** `lading erase`: forgets a person, a company or a page for good, and prints the proof of it. */
import { DateTime, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Admin from "../api/Admin.ts"
import { administered } from "./Administration.ts"
import * as Asked from "./Asked.ts"
import * as Print from "./Print.ts"

const lines = ({ digest, erased, erased_at, id, kind }: typeof Admin.Proof.Type): ReadonlyArray<string> => [
  `  proof     ${id}`,
  `  kind      ${kind}`,
  `  digest    ${digest}`,
  `  at        ${DateTime.formatIso(DateTime.makeUnsafe(erased_at))}`,
  `  erased    ${Object.entries(erased)
    .map(([what, count]) => `${Print.number(count)} ${what}`)
    .join(", ")}`
]

export const command = Command.make(
  "erase",
  {
    subject: Argument.String("subject").pipe(
      Argument.withDescription("A mail address, a domain, or the address of a page such as a profile")
    ),
    json: Asked.json
  },
  ({ json, subject }) =>
    administered(Asked.read(Admin.Subject, { subject }), ({ erase }, { subject }) => erase(subject)).pipe(
      Effect.flatMap((proof) => Print.answer(Admin.Proof, proof, json, lines))
    )
).pipe(
  Command.withDescription(
    "Suppress a subject for good, erase what is kept of it, and print a proof without personal data. Asks nothing"
  ),
  Command.withShortDescription("Forget a person, a company or a page"),
  Command.withExamples([
    { command: "lading erase mara.ellison@nordvik-robotics.example", description: "A person, by a mail address" },
    { command: "lading erase nordvik-robotics.example", description: "A company, by its domain" }
  ])
)
