/** The variables of the verifier of mail addresses. */
import { Schema, SchemaTransformation } from "effect"
import { isIP } from "node:net"
import { credential, isBaseUrl, isUrl, onOrOff, optional, redacted, type Text, whole, withDefault } from "./Variable.ts"
import * as Verifiers from "./Verifiers.ts"

/** Words with commas between them. */
const listOf = (isWord: (word: string) => boolean): Text<ReadonlyArray<string>> => {
  const words = (text: string): ReadonlyArray<string> => text.split(",").map((word) => word.trim())
  return Schema.String.check(Schema.makeFilter((text) => words(text).every(isWord))).pipe(
    Schema.decodeTo(
      Schema.Array(Schema.String),
      SchemaTransformation.transform({ decode: words, encode: (all: ReadonlyArray<string>) => all.join(",") })
    )
  )
}

/** `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:5353`. */
const isServer = (text: string): boolean => {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^\]:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  return isIP(text) !== 0 || (isIP(bracketed ?? plain ?? "") !== 0 && Number(port ?? 53) <= 65_535)
}

const isZone = (text: string): boolean => /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(text) && text.length <= 253

const address = Schema.String.check(Schema.makeFilter((text) => isIP(text) !== 0))

const path = Schema.NonEmptyString

export const email = {
  verifier: optional(
    {
      name: "LADING_VERIFIER",
      meaning:
        "Who verifies mail addresses: `smtp` (this server asks their mail hosts), `reoon` or `none`; left out, `smtp` where `LADING_SMTP_HELO` is set, else `none`, in the sandbox `smtp` with simulated mail hosts",
      expected: `one of ${Verifiers.names.join(", ")}`
    },
    Schema.Literals(Verifiers.names)
  ),
  hello: optional(
    {
      name: "LADING_SMTP_HELO",
      meaning:
        "Name that mail hosts are told: a full name of yours that leads to the public address of this machine, and to which that address leads back",
      expected: "a full name of a host, such as probe.acme.example"
    },
    Schema.String
  ),
  sender: optional(
    {
      name: "LADING_SMTP_FROM",
      meaning: "Sender that mail hosts are told, always the same: an address at a domain of yours that takes mail",
      expected: "a mail address at a domain of yours"
    },
    Schema.String
  ),
  publicAddress: optional(
    {
      name: "LADING_SMTP_PUBLIC_ADDRESS",
      meaning: "Address at which mail hosts see this machine, or its proxy: `lading doctor` compares names with it",
      expected: "an IP address"
    },
    address
  ),
  localAddress: optional(
    {
      name: "LADING_SMTP_LOCAL_ADDRESS",
      meaning: "Address of this machine that mail hosts are asked from, where it has several",
      expected: "an IP address"
    },
    address
  ),
  proxy: optional(
    {
      name: "LADING_SMTP_PROXY",
      meaning: "SOCKS5 proxy that lets port 25 out",
      expected: "a URL like socks5://user:password@host:1080",
      secret: true
    },
    redacted(Schema.String.check(Schema.makeFilter(isUrl(["socks5:"]))))
  ),
  nameServers: optional(
    {
      name: "LADING_SMTP_NAME_SERVERS",
      meaning: "Name servers that are asked for mail hosts; left out, the system's",
      expected: "IP addresses, with or without ports, with commas between them"
    },
    listOf(isServer)
  ),
  rules: optional(
    {
      name: "LADING_SMTP_RULES",
      meaning: "YAML or JSON file of your own rules for replies of mail hosts, read before ours (docs/email.md)",
      expected: "the path of a file"
    },
    path
  ),
  lists: optional(
    {
      name: "LADING_EMAIL_LISTS",
      meaning:
        "YAML or JSON file of your own lists: `disposable` and `allowed` domains, `spamtraps` (docs/email.md); read at the start",
      expected: "the path of a file"
    },
    path
  ),
  connections: withDefault(
    {
      name: "LADING_SMTP_CONNECTIONS",
      meaning: "Connections that a list may have to all mail hosts together; each host has a limit of its own besides",
      expected: "a whole number from 1 to 10000"
    },
    whole(1, 10_000),
    "300",
    300
  ),
  limits: optional(
    {
      name: "LADING_SMTP_LIMITS",
      meaning:
        'Limits for hosts of a provider that differ from ours, e.g. `{"default":{"connections":4,"askEvery":0}}`: `connections` at a time, `questions` and `refusals` in each, milliseconds between connections (`connectEvery`) and addresses (`askEvery`), addresses in 24 hours (`daily`); `default` are hosts of nobody whom we know by name (docs/email.md)',
      expected: "JSON, limits by the names of providers"
    },
    Schema.NonEmptyString
  ),
  zones: optional(
    {
      name: "LADING_SMTP_ZONES",
      meaning:
        "Names under `test`, `example`, `invalid` and `localhost` that your name servers know; addresses in others of them are decided without DNS",
      expected: "names such as corp.test, with commas between them"
    },
    listOf(isZone)
  ),
  privateHosts: withDefault(
    {
      name: "LADING_SMTP_PRIVATE",
      meaning:
        "Whether mail hosts at addresses that are not public are asked: `on` or `off`; for mail hosts of your own network, and for tests, since whoever may verify could then have this server connect to what it reaches",
      expected: "on or off"
    },
    onOrOff,
    "off",
    false
  ),
  port: withDefault(
    {
      name: "LADING_SMTP_PORT",
      meaning: "Port of mail hosts; another than 25 is for tests, since no other answers for recipients",
      expected: "a whole number from 1 to 65535"
    },
    whole(1, 65_535),
    "25",
    25
  ),
  reoonKey: optional(
    {
      name: "LADING_REOON_API_KEY",
      meaning: "Your API key at Reoon",
      expected: "printable ASCII characters without spaces",
      secret: true
    },
    credential
  ),
  reoonUrl: optional(
    {
      name: "LADING_REOON_BASE_URL",
      meaning: "Address of Reoon in place of its own",
      expected: "an address like https://api.vendor.example, without credentials or query",
      secret: true
    },
    Schema.String.check(Schema.makeFilter(isBaseUrl))
  )
}
