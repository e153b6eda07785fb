/**
 * Reads the name of a party as declarations write it: the words that name a trader, with the legal form apart, and marks
 * for what is no trader's name (`TO ORDER`) or the name of one who only carries (`… FREIGHT FORWARDERS`).
 *
 * Gotcha: nothing is looked up here and nothing is known of other names; the same text is always read the same way, since
 * the identity of traders rests on it (`TraderId`).
 */
import * as LegalForms from "./LegalForms.ts"
import * as NameKinds from "./NameKinds.ts"
import * as NameWords from "./NameWords.ts"

export interface TraderName {
  readonly raw: string
  /** Folded words without legal forms, in the order of the name. */
  readonly words: ReadonlyArray<string>
  /** The same, with words of scripts without spaces in their parts: places, kinds of business and the rest. */
  readonly tokens: ReadonlyArray<string>
  /** Legal forms, those next to the name last. */
  readonly legal: ReadonlyArray<LegalForms.LegalForm>
  /** Numbers in its words, without leading zeros, in their order: names that differ in them are of different traders. */
  readonly numbers: ReadonlyArray<string>
  /** No name at all: `TO ORDER`, `N/A`, `SAME AS CONSIGNEE`. */
  readonly placeholder: boolean
  /** One who carries goods for others. */
  readonly forwarder: boolean
  /** As long as the source lets names be: its last word may be the beginning of one. */
  readonly cut: boolean
}

/** US manifests cut names at 35 characters, and what is trimmed then may be one less. */
export const LONGEST = 35

const phrases = (...lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(",").map((phrase) => NameWords.of(phrase).join(" "))))

/** What is written where no name is known or wanted. */
const nobody = phrases(
  "to order,order,by order,to bearer,bearer,same,same as above,same as consignee,same as shipper,same as notify,same as notify party",
  "idem,ditto,n/a,na,n a,nil,none,null,unknown,unnamed,no name,not available,not applicable,not known,not declared,not disclosed",
  "undisclosed,confidential,withheld,blank,xxx,xxxx,xx,tba,tbn,tbd,test,individual,private individual,private person,various,varios,vario",
  "various consignees,various shippers,various suppliers,various importers,sundry,miscellaneous,others,other,otros,diversos,divers,diverse",
  "no disponible,no aplica,no informado,no identificado,no indica,no registra,no declarado,sin nombre,sin informacion,sin dato,sin datos,s/n",
  "no especificado,no consta,se desconoce,desconocido,a la orden,a su orden,a quien corresponda,consumidor final,clientes varios",
  "cliente varios,publico general,publico en general,persona natural,personas naturales,particular,mismo,el mismo,nao informado,nao disponivel",
  "nao identificado,nao declarado,a ordem,diversos importadores,non disponible,inconnu,a l ordre,non communique,unbekannt,an order,an die order",
  "не указан,не указано,неизвестно,нет данных,нет,физическое лицо,无,不详,未知,凭指示,指示,保密,不公开,个人,미상,불명,없음,개인,不明,個人,غير معروف,غير محدد",
  "importer,exporter,consignee,shipper,notify party,supplier,buyer,seller"
)

/** Names that begin so are none either: the goods are whoever's the paper is. */
const nobodyYet = phrases(
  "to order,to the order,to order of,unto order,unto the order,order of,to the bearer,same as,same to,a la orden,a orden,al orden,consigned to order,consignee to order",
  "to be advised,to be named,to be informed,not available,no disponible,a l ordre de,a ordem de,凭"
)

/** What follows is another's name, or another name of the same. */
const aside = phrases(
  "t/a,d/b/a,f/k/a,a/c,i/c,trading as,doing business as,formerly known as,formerly,attn,attention,att,dba,fka,notify"
)

/** What follows is the one who is meant; what stands before acts for it. */
const onBehalf = phrases(
  "o/b,o/b/o,b/o,on behalf of,as agent for,as agents for,as agent of,as agents of,on account of,for account of,por cuenta de,por orden de"
)

/** What follows is where the letters go. */
const careOf = phrases("c/o,care of,co care of")

const contact = phrases(
  "tel,telf,telephone,telefono,telefone,tlf,tele,phone,ph,mob,mobile,cel,celular,fax,telefax,email,e mail,mail,www,http,https,contact,pic"
)
const taxes = phrases(
  "nit,ruc,rut,cnpj,cpf,gst,gstin,iec,vat,ein,rfc,cuit,cuil,tin,pan,uscc,uscis,eori,nif,cif,mst,npwp,tax,inn,инн,кпп,огрн,usci,brn,id,reg,ustid,kra,abn,rnc,ice,siret,siren"
)

const digits = /\p{N}/u
const firstMarks: ReadonlySet<string> = new Set(
  [...aside, ...onBehalf, ...careOf].map((phrase) => phrase.split(" ")[0] ?? "")
)

/** Whether a phrase of a set begins at a word: how many words it has, or 0. */
const phraseAt = (words: ReadonlyArray<string>, at: number, set: ReadonlySet<string>): number => {
  for (const length of [3, 2, 1]) {
    if (at + length <= words.length && set.has(words.slice(at, at + length).join(" "))) return length
  }
  return 0
}

/** Only the words of the one who is meant. */
const meant = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  for (let at = 0; at < words.length; at++) {
    if (!firstMarks.has(words[at] ?? "")) continue
    const behalf = phraseAt(words, at, onBehalf)
    if (behalf > 0 && at + behalf < words.length) return meant(words.slice(at + behalf))
    const other = behalf + phraseAt(words, at, careOf) + phraseAt(words, at, aside)
    if (other > 0) return at === 0 ? meant(words.slice(other)) : words.slice(0, at)
  }
  return words
}

/** Without any of these a name is all there is; most names are. */
const telling: ReadonlySet<string> = new Set([...firstMarks, ...contact, ...taxes])

/** Without telephone numbers and tax ids behind the name. */
const withoutTail = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ""
    if (!contact.has(word) && !taxes.has(word)) continue
    const [next = "", third = ""] = [words[at + 1], words[at + 2]]
    const numbered =
      digits.test(next) || (third !== "" && digits.test(third) && /^(?:no|nro|num|number|id|code)$/.test(next))
    if (contact.has(word) && (numbered || next === "" || third === "")) return words.slice(0, at)
    if (taxes.has(word) && numbered) return words.slice(0, at)
  }
  return words
}

const titles: ReadonlySet<string> = new Set(["the", "messrs", "m/s"])
const joiners: ReadonlySet<string> = new Set([
  "and",
  "y",
  "e",
  "et",
  "und",
  "och",
  "og",
  "ve",
  "и",
  "και",
  "dan",
  "va",
  "i"
])

const firstOfNobody: ReadonlySet<string> = new Set(
  [...nobody, ...nobodyYet].map((phrase) => phrase.split(" ")[0] ?? "")
)

const linking: ReadonlySet<string> = new Set(["of", "de", "del", "des", "du", "di", "da", "do"])

const isPlaceholder = (words: ReadonlyArray<string>): boolean => {
  if (!firstOfNobody.has(words[0] ?? "")) return false
  if (words.length <= 4 && nobody.has(words.join(" "))) return true
  return phraseAt(words, 0, nobodyYet) > 0
}

interface Bare {
  readonly words: ReadonlyArray<string>
  readonly legal: ReadonlyArray<LegalForms.LegalForm>
}

/** Without the legal forms at both ends, as often as there are some; a name of nothing else keeps its first words. */
const withoutForms = (all: ReadonlyArray<string>): Bare => {
  const legal: Array<LegalForms.LegalForm> = []
  let words = all
  for (;;) {
    const found = LegalForms.atEnd(words)
    if (found === null || found.length >= words.length) break
    words = words.slice(0, -found.length)
    legal.push(found.form)
    while (words.length > 1 && joiners.has(words.at(-1) ?? "")) words = words.slice(0, -1)
  }
  for (;;) {
    const found = LegalForms.atFront(words)
    if (found === null || found.length >= words.length) break
    words = words.slice(found.length)
    legal.push(found.form)
    // "Asociación de Productores"
    while (words.length > 1 && linking.has(words[0] ?? "")) words = words.slice(1)
  }
  return { words, legal }
}

/** Without the forms that are parts of words, in scripts without spaces. */
const withoutAttached = ({ legal, words }: Bare): Bare => {
  const forms = [...legal]
  const bare = words.map((word) => {
    if (!NameWords.unspaced.test(word)) return word
    let rest = word
    for (let found = LegalForms.attached(rest); found !== null; found = LegalForms.attached(rest)) {
      rest = found.rest
      forms.push(found.form)
    }
    return rest
  })
  return { legal: forms, words: bare }
}

const parted = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((word) => (NameWords.unspaced.test(word) ? NameKinds.parted(word) : [word]))

const ascii = /^[\x20-\x7e]*$/

/** Words between two others say nothing: `Perez y Hijos`, `Johnson & Johnson`. */
const withoutJoiners = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.length < 2
    ? words
    : words.filter((word, index) => !(joiners.has(word) && index > 0 && index < words.length - 1) && !(word === "and"))

const numbersOf = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((word) =>
    digits.test(word) ? (word.match(/\p{N}+/gu) ?? []).map((number) => number.replace(/^0+(?=.)/, "")) : []
  )

const none: ReadonlyArray<never> = []

/**
 * What a name says. `longest` is the longest name that its source writes, in characters; a name of one less may have
 * lost a space there. Names that are longer come from elsewhere and are whole.
 */
export const read = (raw: string, longest: number = LONGEST): TraderName => {
  const length = raw.length < longest - 1 ? 0 : raw.trim().length
  const cut = length >= longest - 1 && length <= longest
  const written = NameWords.of(raw)
  if (isPlaceholder(written)) {
    return { raw, words: none, tokens: none, legal: none, numbers: none, placeholder: true, forwarder: false, cut }
  }
  const all = written.some((word) => telling.has(word)) ? withoutTail(meant(written)) : written
  const named = titles.has(all[0] ?? "") && all.length > 1 ? all.slice(1) : all
  // "PTE LIMIT" was a legal form.
  const whole = cut && named.length > 2 && LegalForms.atEnd(named) === null ? LegalForms.completed(named) : named
  const bare = withoutForms(whole)
  const plain = ascii.test(raw)
  const { legal, words: said } = plain ? bare : withoutAttached(bare)
  const words = withoutJoiners(said)
  const tokens = plain ? words : parted(words)
  return {
    raw,
    words,
    tokens,
    legal,
    numbers: digits.test(raw) ? numbersOf(tokens) : none,
    placeholder: tokens.length === 0 ? false : isPlaceholder(tokens) && legal.length === 0,
    forwarder: NameKinds.isForwarder(tokens),
    cut
  }
}
