/** How hosts say that nobody has an address. */

const english = [
  "unknown|invalid|unrecognized|unrecognised|undeliverable|illegal|nonexistent|nonexisting|nonexistant|incorrect|wrong|bad .. user|username|userid|recipient|mailbox|address|addressee|alias|account|destination|person|customer",
  "user|username|userid|recipient|mailbox|address|addressee|alias|account|email|destination|person|customer|name .. unknown|invalid|nonexistent|nonexisting|nonexistant|unrecognized|unrecognised|undeliverable|misspelled|misspelt|unallocated|unlisted",
  "user|username|userid|recipient|mailbox|address|addressee|alias|account|email|destination|person|customer|name .. not .. exist|exists|existing|found|known|recognized|recognised|valid|listed|registered",
  "not .. valid|known|existing|recognized|recognised|registered .. user|recipient|mailbox|address|addressee|account|email|alias|customer|drop",
  "no valid recipient|recipients",
  "no such recipient|user|mailbox|address|person|account|alias|customer|one|addressee|name|local|email",
  "no account|mailbox|user|recipient|address|person|body|one|inbox|alias .. name|here|exists|exist|found|known|address",
  "there is no user|account|mailbox|one|recipient|address",
  "nobody|noone .. name|mailbox|here|address",
  "not our|a|any user|customer|mailbox|recipient .. of|here|$",
  "not our|ours customer|user|recipient|client",
  "not one|any of our users|customers|recipients|mailboxes",
  "user|recipient|mailbox|customer not here|ours|local",
  "not have a|an|any .. account|mailbox|address",
  "have no account|mailbox|user|address|recipient",
  "not be found",
  "account|user|recipient|address|mailbox not available",
  "user|recipient|mailbox|account|address|person .. no longer on|here|exists|exist|with|at|known|in",
  "mailbox|user|recipient|person|address has moved",
  "user|recipient|mailbox|addressee|person has? left",
  "mailbox|address|account|user .. not .. exist|exists .. any? more|anymore",
  "unrouteable|unroutable address",
  "callout|recipient verification|verify .. failed",
  "not .. in|on .. recipient|recipients|address|addresses|user|users list|table|directory|map",
  "not .. in|on .. list|directory|table|map of .. recipients|addresses|users",
  "marked as invalid",
  "unknown local part",
  "address lookup .. failed",
  "reserved by rfc",
  "mailbox name not allowed",
  "recipient address rejected undeliverable|undelivera|unknown|invalid",
  "address|recipient|user .. never existed",
  "of unknown recipients",
  "resolver adr"
]

const western = [
  // French
  "utilisateur|destinataire|adresse|compte|boite|usager .. inconnu|inconnue|inexistant|inexistante|invalide|introuvable",
  "adresse|utilisateur|destinataire|boite|compte .. existe pas|plus",
  "adresse|utilisateur|destinataire|boite|compte n est pas|plus valide|connu|connue",
  "aucun utilisateur|destinataire|compte",
  // German
  "benutzer|empfanger|empfangeradresse|adresse|postfach|nutzer|teilnehmer|konto|mailadresse|emailadresse .. unbekannt|ungultig|unbekannter",
  "unbekannter|unbekannte|ungultiger|ungultige|unbekanntes benutzer|empfanger|empfangeradresse|adresse|nutzer|postfach",
  "benutzer|empfanger|empfangeradresse|adresse|postfach|nutzer|konto|mailadresse|emailadresse .. existiert .. nicht",
  "kein|keinen solcher|solches|benutzer|postfach|empfanger|nutzer",
  "empfanger|adresse|benutzer|postfach .. nicht gefunden|bekannt|vorhanden",
  // Spanish
  "usuario|destinatario|buzon|cuenta|direccion|casilla .. desconocido|desconocida|inexistente|invalido|invalida|inexistentes",
  "usuario|destinatario|buzon|cuenta|direccion|correo|casilla .. no existe|encontrado|encontrada|valido|valida",
  "no existe .. usuario|cuenta|buzon|persona|destinatario|direccion|casilla",
  "no se encontro|encuentra|ha .. usuario|buzon|destinatario|cuenta|direccion",
  // Italian
  "utente|destinatario|casella|indirizzo .. sconosciuto|sconosciuta|inesistente|invalido|errato",
  "utente|destinatario|casella|indirizzo .. non esiste|trovato|trovata|valido|valida",
  "nessun|nessuna utente|casella|destinatario",
  "non esiste .. utente|casella|indirizzo",
  // Portuguese
  "usuario|destinatario|utilizador|conta|caixa|endereco .. desconhecido|desconhecida|inexistente|invalido|invalida",
  "usuario|destinatario|utilizador|conta|caixa|endereco .. nao existe|encontrado|encontrada|valido",
  "nao existe .. usuario|utilizador|conta|caixa|endereco",
  // Dutch
  "gebruiker|ontvanger|adres|postbus|postvak|emailadres|mailadres .. onbekend|ongeldig",
  "onbekende|ongeldige|onbekend gebruiker|ontvanger|adres|emailadres|mailadres",
  "gebruiker|ontvanger|adres|postbus|postvak|emailadres|mailadres .. bestaat niet",
  "geen gebruiker|postvak"
]

const others = [
  // Polish, Czech
  "nieznany|nieznana|nieistniejacy|bledny uzytkownik|adresat|odbiorca|adres|skrzynka",
  "uzytkownik|adresat|odbiorca|adres|skrzynka|konto .. nieznany|nieznana|nie istnieje|znaleziony|znaleziono",
  "adres|skrzynka|konto|uzytkownik|odbiorca nie istnieje",
  "nie ma takiego|takiej|tego",
  "neznamy|neexistujici|neplatny uzivatel|prijemce|adresat",
  "uzivatel|prijemce|schranka|adresa neexistuje|nenalezen|nenalezena",
  // Russian
  "пользователь|получатель|адрес|адресат|ящик|абонент .. не наиден|существует|зарегистрирован|известен",
  "неизвестныи|неизвестен|несуществующии пользователь|получатель|адрес|адресат|ящик",
  "пользователь|получатель|адрес|адресат неизвестен",
  "такого|таких .. не существует|наидено",
  "нет такого|такои пользователя|адреса|ящика|получателя|адресата",
  "пользователя|адреса|ящика .. не существует",
  // Nordic, Turkish
  "okand|ogiltig mottagare|anvandare|adress",
  "mottagare|mottagaren|anvandare|anvandaren|adressen .. finns inte|ej",
  "bruger|brugeren|modtager|modtageren|adressen .. findes ikke",
  "bruker|brukeren|mottaker|mottakeren|adressen .. finnes ikke",
  "ukendt|ukjent modtager|bruger|bruker|mottaker",
  "kayttajaa|vastaanottajaa|osoitetta .. ei ole|loydy|tunneta",
  "bilinmeyen|gecersiz kullanici|alici|adres",
  "kullanici|alici|adres .. bulunamadi|yok|gecersiz|bilinmiyor",
  // Chinese, Japanese: each sign is a word.
  "用户不存在",
  "用户未找到",
  "收件人不存在",
  "收件人地址不存在",
  "收件人 .. 无效",
  "邮箱不存在",
  "邮箱 .. 不存在",
  "地址不存在",
  "找不到 .. 邮",
  "找不到 .. 用户",
  "地址无效",
  "无效地址",
  "无效的收件人",
  "无效收件人",
  "没有此用户",
  "没有这个用户",
  "ユーザー .. 存在しません",
  "ユーザー .. 見つかりません",
  "アドレス .. 存在しません",
  "アドレス .. 見つかりません",
  "宛先 .. 存在しません",
  "宛先不明",
  "メールボックス .. 存在しません"
]

export const phrases: ReadonlyArray<string> = [...english, ...western, ...others]
