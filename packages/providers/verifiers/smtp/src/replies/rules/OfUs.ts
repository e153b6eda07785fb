/** Rules for what is of us: the address we come from, our name, our sender, our pace. Never laid on the recipient. */
import * as Phrases from "../phrases/Ours.ts"
import type { Rule } from "../Rule.ts"

/** Asked before what is of the mailbox: hosts put these words beside the recipient's address. */
export const sure: ReadonlyArray<Rule> = [
  {
    name: "sender_code",
    says: "x.1.7 and x.1.8 are of the sender's address (RFC 3463), also in reply to RCPT.",
    enhanced: ["x.1.7", "x.1.8"],
    except: ["vs1", "unknown recipients"],
    class: "sender_refused"
  },
  {
    name: "reverse_dns",
    says: "Our address has no name, or one that does not lead back to it.",
    phrases: Phrases.reverseDns,
    except: Phrases.notReverseDns,
    class: "reverse_dns"
  },
  {
    name: "reverse_dns_code",
    says: "x.7.25 is of reverse DNS (RFC 7372).",
    enhanced: ["x.7.25"],
    class: "reverse_dns"
  },
  {
    name: "sender",
    says: "Our HELO, our MAIL FROM, or what proves them (SPF, DKIM, DMARC, TLS).",
    phrases: Phrases.sender,
    except: Phrases.notSender,
    class: "sender_refused"
  },
  {
    name: "policy_behind_mailbox",
    says: "Begins as an unknown mailbox does, and goes on with a rule of the host.",
    phrases: [
      "policy restrictions",
      "policy rejection",
      "block rcpt|send|sender",
      "rejected .. ers",
      "sender not authenticated for",
      "sender not in|allowed",
      "members only",
      "resolver rst"
    ],
    class: "policy"
  },
  {
    name: "blocked_for_good",
    says: "The address that we come from is on a list, or has a bad name.",
    codes: ["5xx"],
    phrases: Phrases.block,
    except: Phrases.notBlock,
    class: "ip_blocked"
  },
  {
    name: "rate",
    says: "Too much, too fast, or too many errors from us.",
    phrases: Phrases.rate,
    except: ["too many .. messages for this|that mailbox|user", "unusual rate .. from|originating .. blocked $"],
    class: "rate_limited"
  },
  {
    name: "rate_of_exchange_online",
    says: "Exchange Online slows down addresses it does not know with 4.7.500 to 4.7.699 and 4.7.850 to 4.7.899.",
    enhanced: ["4.7.500-699", "4.7.850-899"],
    class: "rate_limited"
  },
  {
    name: "blocked_for_now",
    says: "The same as blocked_for_good with a code that asks for another try.",
    codes: ["4xx"],
    phrases: Phrases.block,
    except: Phrases.notBlock,
    class: "ip_blocked"
  },
  {
    name: "blocked_by_barracuda",
    says: "Barracuda says no more than the recipient's address and `blocked`.",
    providers: ["barracuda"],
    phrases: ["blocked $"],
    class: "ip_blocked"
  }
]

/** Asked after what is of the mailbox, since these words are said of everything. */
export const vague: ReadonlyArray<Rule> = [
  {
    name: "google_waits",
    says: "Google closes with `try again later` before MAIL where it has seen too much of us.",
    providers: ["google"],
    stages: ["connect", "hello"],
    codes: ["421"],
    class: "rate_limited"
  },
  {
    name: "policy",
    says: "A rule of the host or of its owner, or what it takes for spam.",
    phrases: Phrases.policy,
    class: "policy"
  }
]
