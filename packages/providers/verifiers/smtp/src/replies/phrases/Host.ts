/** How hosts speak of themselves: whom they serve, that they wait, that something is wrong with them. */

export const greylist: ReadonlyArray<string> = [
  "greylist*|graylist*",
  "grey|gray list|listed|listing",
  "postgrey",
  "verification in progress",
  "unverified address",
  "internal resource|resources .. temporarily unavailable",
  "triplet",
  "first time|contact|sight|attempt",
  "come|try back|again .. in .. minutes|seconds|moment",
  "retry .. after|in .. minutes|seconds",
  "try|retry|wait .. minutes|seconds",
  "wait minutes|seconds",
  "graue|grauen liste",
  "liste grise",
  "lista gris|grigia|cinza",
  "grijze lijst",
  "szara|szarej lista|liscie",
  "серыи|сером|серых список|списке",
  "灰名单",
  "グレイリスト"
]

export const relay: ReadonlyArray<string> = [
  "relay|relaying .. denied|disallowed|prohibited|forbidden|not|refused|rejected|interdit",
  "not|unable|cannot|no .. relay|relaying",
  "open relay not",
  "rcpthosts",
  "unrouteable|unroutable mail? domain",
  "not .. handle|take|accept|receive|host .. mail|email|messages .. for .. domain",
  "not take|accept|handle|host mail|email for",
  "not the mail|right server|host|exchanger .. of|for",
  "not .. local domain",
  "relais .. interdit|refuse",
  "kein|keine relay|relaying|weiterleitung",
  "relay .. nicht|no|non|nao",
  "retransmision|reenvio .. no|denegado|denegada"
]

export const relayProvider: ReadonlyArray<string> = [
  "relay at|of|server .. your|provider|service",
  "possible open relay"
]

export const noDomain: ReadonlyArray<string> = [
  "null mx",
  "no domain",
  "host unknown",
  "recipient domain .. not",
  "find the recipient domain",
  "domain .. not .. exist|exists|found",
  "domain .. expired|suspended|unknown|disabled",
  "unknown|nonexistent domain",
  "host|server|domain .. not accept mail|email|messages $",
  "host|server|domain .. not accept any mail"
]

export const tooManyRecipients: ReadonlyArray<string> = [
  "too many recipients",
  "multiple destination domains",
  "multiple regions",
  "multiple domains"
]

export const ourCommand: ReadonlyArray<string> = [
  "bad|wrong sequence",
  "need mail|rcpt|helo|ehlo before|first",
  "send helo|ehlo|mail first",
  "starttls",
  "tls not available",
  "not implemented",
  "command|commands .. not|unrecognized|unrecognised|unknown|invalid",
  "unrecognized|unrecognised|unknown|invalid|bad command|verb",
  "syntax error",
  "unsupported|unrecognized|unrecognised|unknown|invalid option|parameter|parameters",
  "line .. too long",
  "smtputf8",
  "non ascii",
  "outside ascii",
  "over|via|from ipv6",
  "accept .. ipv6"
]
