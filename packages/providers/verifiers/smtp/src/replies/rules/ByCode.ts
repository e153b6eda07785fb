/** Rules for replies whose text says nothing: codes, and at last the basic code. */
import type { Rule } from "../Rule.ts"

const stages: Rule["stages"] = ["recipient"]

export const rules: ReadonlyArray<Rule> = [
  {
    name: "unknown_user_code",
    says: "Codes of RFC 3463 and RFC 7293 for an address that nobody has, or no longer.",
    stages,
    codes: ["5xx"],
    enhanced: ["5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.1.6", "5.1.10", "5.4.4", "5.7.17", "5.7.18"],
    class: "unknown_user"
  },
  {
    name: "unknown_user_code_for_now",
    says: "The same as 4xx.",
    stages,
    codes: ["4xx"],
    enhanced: ["4.1.1", "4.1.3", "4.1.6"],
    class: "temporary",
    at_last: "unknown_user"
  },
  {
    name: "disabled_mailbox_code",
    says: "5.2.1 without words is a mailbox that is disabled (RFC 3463).",
    stages,
    codes: ["5xx"],
    enhanced: ["5.2.1"],
    class: "disabled"
  },
  {
    name: "sender_or_policy_code",
    says: "5.7.26 and its neighbours are of what proves the sender (RFC 7372).",
    enhanced: ["x.7.20-24", "x.7.26-27", "x.7.29-30"],
    class: "sender_refused"
  },
  {
    name: "security_code",
    says: "5.7.x is of rules and security, not of the mailbox: 9 of 10 replies with 5.7.1 are about something else.",
    codes: ["5xx"],
    enhanced: ["5.7.x"],
    class: "policy"
  },
  {
    name: "protocol_code",
    says: "x.5.3 is too many recipients, x.6.7 a sign that the host cannot write (RFC 3463, RFC 6531).",
    enhanced: ["x.5.3", "x.6.7"],
    class: "protocol"
  },
  {
    name: "command_code",
    says: "500 to 504 and 555 are of the command (RFC 5321).",
    codes: ["500", "501", "502", "503", "504", "555"],
    class: "protocol"
  },
  {
    name: "for_now",
    says: "4xx: to be asked again.",
    codes: ["4xx"],
    class: "temporary"
  },
  {
    name: "refused_one_of_several",
    says: "550, 551 or 553 that say nothing, by a host that took another recipient in the session: it means this one.",
    stages,
    codes: ["550", "551", "553"],
    served: true,
    class: "unknown_user"
  },
  {
    name: "says_nothing",
    says: "Nothing else: the code alone proves nothing.",
    class: "unclear"
  }
]
