/** Rules for what is of the mailbox. Only a reply to RCPT is. */
import * as Phrases from "../phrases/Mailbox.ts"
import * as UnknownUser from "../phrases/UnknownUser.ts"
import type { Rule } from "../Rule.ts"

const stages: Rule["stages"] = ["recipient"]

export const busy: ReadonlyArray<Rule> = [
  {
    name: "busy",
    says: "It exists, and gets more mail than it takes. Google says so with the code of a mailbox that is disabled.",
    stages,
    phrases: Phrases.busy,
    class: "busy"
  },
  {
    name: "busy_code",
    says: "Exchange says with x.2.121 and x.2.122 that a recipient gets more than its share.",
    stages,
    enhanced: ["x.2.121", "x.2.122"],
    class: "busy"
  }
]

export const closed: ReadonlyArray<Rule> = [
  {
    name: "full",
    says: "The mailbox is full, whatever the code: hosts say it with 5.1.1 and 5.7.1 too.",
    stages,
    phrases: Phrases.full,
    except: Phrases.notFull,
    class: "full"
  },
  {
    name: "full_code",
    says: "x.2.2 is a full mailbox (RFC 3463).",
    stages,
    enhanced: ["x.2.2"],
    except: ["mailbox .. not found|exist"],
    class: "full"
  },
  {
    name: "disabled",
    says: "The mailbox is there and switched off.",
    stages,
    codes: ["5xx"],
    phrases: Phrases.disabled,
    except: Phrases.notDisabled,
    class: "disabled"
  },
  {
    name: "disabled_for_now",
    says: "The same with a code that asks for another try.",
    stages,
    codes: ["4xx"],
    phrases: Phrases.disabled,
    except: Phrases.notDisabled,
    class: "temporary",
    at_last: "disabled"
  },
  {
    name: "disabled_code",
    says: "525 and x.7.13 are of a recipient that is disabled (RFC 7504); Exchange Online bans recipients with 5.7.504, 5.7.505.",
    stages,
    enhanced: ["5.7.13", "5.7.504", "5.7.505"],
    class: "disabled"
  },
  {
    name: "disabled_basic_code",
    says: "525 without more.",
    stages,
    codes: ["525"],
    class: "disabled"
  }
]

export const unknown: ReadonlyArray<Rule> = [
  {
    name: "edge_of_exchange_online",
    says: "Exchange Online says `access denied` with 5.4.1 of an address that its directory does not have.",
    stages,
    codes: ["5xx"],
    enhanced: ["5.4.1"],
    providers: ["microsoft365"],
    class: "unknown_user"
  },
  {
    name: "edge_of_exchange_online_ticket",
    says: "The same where only the ticket tells Exchange Online.",
    stages,
    codes: ["5xx"],
    phrases: ["as2018062*"],
    class: "unknown_user"
  },
  {
    name: "unknown_user",
    says: "Nobody has the address, said in words.",
    stages,
    codes: ["5xx"],
    phrases: UnknownUser.phrases,
    class: "unknown_user"
  },
  {
    name: "unknown_user_for_now",
    says: "The same with a code that asks for another try: a directory may be away, a check may go on.",
    stages,
    codes: ["4xx"],
    phrases: UnknownUser.phrases,
    class: "temporary",
    at_last: "unknown_user"
  },
  {
    name: "mailbox_unavailable",
    says: "The words of RFC 5321 for 550 and 553, where nothing else is said.",
    stages,
    codes: ["5xx"],
    phrases: ["mailbox|user|recipient .. unavailable", "user|recipient|address not local|valid"],
    class: "unknown_user"
  },
  {
    name: "mailbox_unavailable_for_now",
    says: "The words of RFC 5321 for 450.",
    stages,
    codes: ["4xx"],
    phrases: ["mailbox|user|recipient .. unavailable"],
    class: "temporary",
    at_last: "unknown_user"
  }
]
