/** How hosts say that a mailbox takes no mail now, or no more. */

/** It is full. */
export const full: ReadonlyArray<string> = [
  "over quota",
  "overquota",
  "over its|the|his|their .. quota",
  "quota .. exceeded|violation|full|reached",
  "exceeded|exceeds|exceeding .. quota|storage|space|size",
  "mailbox|inbox|box|account|folder .. full",
  "full mailbox|inbox",
  "mailbox size limit|limits exceeded",
  "out of .. storage|space",
  "no|not|insufficient space|room .. mailbox|inbox|your|account",
  "run out of .. storage|space",
  "storage allocation",
  // French, German
  "boite .. pleine",
  "boite .. est pleine",
  "quota .. depasse|atteint",
  "messagerie .. pleine",
  "postfach|mailbox|speicher .. voll|uberfullt",
  "speicherplatz .. erschopft|aufgebraucht",
  "speicherplatz|kontingent .. uberschritten",
  // Spanish, Italian, Portuguese, Dutch
  "buzon|casilla|bandeja .. lleno|llena",
  "cuota .. excedida|superada|alcanzada",
  "casella .. piena",
  "quota .. superata|esaurita",
  "caixa .. cheia",
  "cota|quota .. excedida",
  "postvak|postbus|mailbox .. vol",
  // Polish, Czech, Russian
  "skrzynka .. pelna|przepelniona",
  "schranka .. plna",
  "ящик .. переполнен|заполнен",
  "превышена|превышен квота|лимит|размер",
  // Chinese, Japanese
  "邮箱 .. 满",
  "邮箱空间 .. 满",
  "空间不足",
  "超出 .. 配额",
  "いっぱい",
  "容量 .. 超"
]

/** The host's own room, not that of the mailbox. */
export const notFull: ReadonlyArray<string> = [
  "system|server|disk|queue|organization|organisation|host .. storage|resources|full|space",
  "disk|queue|storage full on|of the? mail? server|host|system",
  "insufficient system",
  "messages|recipients|connections per"
]

const off = "disabled|deactivated|inactivated|inactive|suspended|frozen|locked|closed|discontinued|terminated|expired"

/** It is switched off. */
export const disabled: ReadonlyArray<string> = [
  `user|recipient|mailbox|account|inbox|address|addressee|s .. ${off}|blocked`,
  `${off} user|recipient|mailbox|account`,
  "blocked recipient|mailbox|account",
  "user|recipient|mailbox|account .. switched off",
  "blocked|disabled|suspended due to .. inactivity",
  "no longer valid",
  "banned recipient",
  "recipient is? banned",
  "mailbox unavailable or access denied",
  // French, German
  "compte|boite|utilisateur|adresse .. desactive|desactivee|suspendu|suspendue|bloque|bloquee|ferme|fermee",
  "postfach|konto|benutzer|empfanger|account .. gesperrt|deaktiviert|geschlossen|stillgelegt|inaktiv",
  // Spanish, Italian, Portuguese, Dutch
  "cuenta|usuario|buzon|casilla .. deshabilitada|deshabilitado|desactivada|desactivado|suspendida|suspendido|bloqueada|inactiva",
  "casella|utente|account .. disabilitata|disabilitato|disattivata|disattivato|sospesa|sospeso|bloccata",
  "conta|usuario|caixa|utilizador .. desativada|desativado|suspensa|suspenso|bloqueada|inativa",
  "account|gebruiker|postvak|postbus .. geblokkeerd|uitgeschakeld|gedeactiveerd|gesloten|opgeheven",
  // Polish, Czech, Russian
  "konto|skrzynka|uzytkownik .. zablokowane|zablokowana|zablokowany|wylaczone|nieaktywne|zawieszone|nieaktywna",
  "ucet|schranka .. zablokovan|zrusen|zrusena|deaktivovan",
  "запись|ящик|пользователь|аккаунт .. отключена|отключен|заблокирован|заблокирована|удален|деактивирован",
  // Chinese, Japanese
  "账号 .. 禁用",
  "帐号 .. 禁用",
  "用户 .. 禁用",
  "用户 .. 停用",
  "邮箱 .. 停用",
  "邮箱 .. 禁用",
  "账号 .. 停用",
  "アカウント .. 停止",
  "アカウント .. 無効"
]

/** What sounds switched off, and is not of the mailbox. */
export const notDisabled: ReadonlyArray<string> = [
  "inactive email address",
  "sender .. suspended|disabled|blocked",
  "domain .. suspended|disabled|expired",
  "your account|address"
]

/** It exists, and gets more mail than it takes. */
export const busy: ReadonlyArray<string> = [
  "receiving mail|messages|email .. too quickly|fast",
  "receiving mail|messages|email at a rate",
  "receiving rate",
  "too many recent messages",
  "recipient|user|mailbox .. too many|much messages|mail|email",
  "recipient|user|mailbox .. limit .. messages|mails|mail",
  "recipient|user|mailbox .. hourly|daily limit",
  "mailbox|user|recipient .. no more than .. messages|mails"
]
