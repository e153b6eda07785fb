/** Rules for what is of the host, or of what was said to it. */
import * as Phrases from "../phrases/Host.ts"
import type { Rule } from "../Rule.ts"

export const done: ReadonlyArray<Rule> = [
  {
    name: "done",
    says: "A code of success decides, whatever the text says.",
    codes: ["2xx"],
    class: "accepted"
  }
]

export const ofCommand: ReadonlyArray<Rule> = [
  {
    name: "too_much_at_once",
    says: "More recipients, or domains, than one transaction may have: each is to be asked in one of its own.",
    phrases: Phrases.tooManyRecipients,
    class: "protocol"
  },
  {
    name: "out_of_order",
    says: "The code 503 is of the order of commands.",
    codes: ["503"],
    class: "protocol"
  },
  {
    name: "our_command",
    says: "What was said to the host, or how, is not understood or not allowed: STARTTLS first, IPv4 only, no SMTPUTF8.",
    phrases: Phrases.ourCommand,
    except: ["helo|ehlo|sender|address|mailbox|recipient .. rejected|argument|syntax|unknown|invalid", "helo command"],
    class: "protocol"
  },
  {
    name: "log_in_first",
    says: "A host that wants a login from everybody is no host for incoming mail.",
    codes: ["530"],
    except: ["sender|from", "tls"],
    class: "not_here"
  }
]

export const waiting: ReadonlyArray<Rule> = [
  {
    name: "greylisted",
    says: "To be asked again by the same address, after some minutes.",
    phrases: Phrases.greylist,
    class: "greylisted"
  },
  {
    name: "greylisted_barracuda",
    says: "Barracuda asks for another try with 4.7.1 where it greylists.",
    stages: ["recipient"],
    codes: ["4xx"],
    enhanced: ["4.7.1"],
    phrases: ["try again later"],
    providers: ["barracuda"],
    class: "greylisted"
  },
  {
    name: "host_in_need",
    says: "The host lacks room or resources of its own, or does not reach its directory.",
    codes: ["4xx"],
    phrases: [
      "insufficient system",
      "disk full",
      "out of memory",
      "lookup fail*",
      "failure of .. lookup",
      "server configuration",
      "local error"
    ],
    class: "temporary"
  },
  {
    name: "host_in_need_by_code",
    says: "x.3.1 and x.4.5 are the host's disk and load (RFC 3463).",
    enhanced: ["4.3.1", "4.4.5"],
    class: "temporary"
  }
]

export const notServed: ReadonlyArray<Rule> = [
  {
    name: "relaying",
    says: "The host does not serve the domain: it takes the mail for one to be passed on.",
    phrases: Phrases.relay,
    except: Phrases.relayProvider,
    class: "not_here"
  },
  {
    name: "no_such_domain",
    says: "The domain does not exist, or takes no mail.",
    codes: ["5xx"],
    phrases: Phrases.noDomain,
    except: ["sender|from", "domain .. not found unknown|user"],
    class: "domain_refused"
  },
  {
    name: "no_such_domain_for_now",
    says: "The same with a code that asks for another try: the host's own name server may be away.",
    codes: ["4xx"],
    phrases: Phrases.noDomain,
    except: ["sender|from"],
    class: "temporary",
    at_last: "domain_refused"
  },
  {
    name: "takes_no_mail",
    says: "521 and 556 are said by hosts that take no mail at all, and of domains with a null MX (RFC 7504, RFC 7505).",
    codes: ["521", "556"],
    class: "domain_refused"
  }
]
