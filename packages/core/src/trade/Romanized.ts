/**
 * Words of other scripts in Latin letters, as they sound: Cyrillic, Greek, kana and Hangul. Not for reading and not a
 * standard, only to find `Ромашка` under `Romashka`. Chinese, Arabic and others stay what they are: their letters do not
 * say enough.
 */

const letters = new Map<string, string>()
const add = (pairs: string): void => {
  for (const pair of pairs.split(" ")) {
    const [letter = "", latin = ""] = pair.split(":")
    letters.set(letter, latin)
  }
}

add(
  "а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: " +
    "э:e ю:yu я:ya і:i ї:i є:e ґ:g ў:u қ:k ғ:g ң:n ө:o ү:u ә:a ұ:u һ:h ј:j љ:lj њ:nj ћ:c ђ:dj џ:dz"
)
add("α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o")

const kana =
  "あa いi うu えe おo かka きki くku けke こko さsa しshi すsu せse そso たta ちchi つtsu てte とto なna にni ぬnu ねne のno はha ひhi ふfu へhe ほho " +
  "まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre ろro わwa をo んn がga ぎgi ぐgu げge ごgo ざza じji ずzu ぜze ぞzo だda ぢji づzu でde どdo " +
  "ばba びbi ぶbu べbe ぼbo ぱpa ぴpi ぷpu ぺpe ぽpo ゔvu ぁa ぃi ぅu ぇe ぉo"
for (const one of kana.split(" ")) {
  letters.set(one.charAt(0), one.slice(1))
  letters.set(String.fromCharCode(one.charCodeAt(0) + 0x60), one.slice(1))
}

const initials = "g kk n d tt r m b pp s ss  j jj ch k t p h".split(" ")
const vowels = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split(" ")
const finals = " k k k n n n t l k m p l l p l m p p t t ng t t k t p t".split(" ")

const hangul = (code: number): string => {
  const index = code - 0xac00
  return (
    (initials[Math.floor(index / 588)] ?? "") +
    (vowels[Math.floor((index % 588) / 28)] ?? "") +
    (finals[index % 28] ?? "")
  )
}

const ascii = /^[\x20-\x7e]*$/

/** A folded word in Latin letters, as far as they are known. */
export const latin = (word: string): string => {
  if (ascii.test(word)) return word
  let written = ""
  for (const letter of word.normalize("NFC")) {
    const code = letter.charCodeAt(0)
    if (code >= 0xac00 && code < 0xd7a4) written += hangul(code)
    else if ("ゃゅょャュョ".includes(letter)) {
      // "shi" and a small "ya" are "sha", "ki" and it are "kya".
      const vowel = "ゃャ".includes(letter) ? "a" : "ゅュ".includes(letter) ? "u" : "o"
      written = /(?:sh|ch|j)i$/.test(written) ? written.slice(0, -1) + vowel : `${written.slice(0, -1)}y${vowel}`
    } else if (letter !== "ー" && letter !== "っ" && letter !== "ッ") written += letters.get(letter) ?? letter
  }
  return written
}

/** What spellings of one sound in different languages have in common. */
export const sound = (word: string): string =>
  word
    .replace(/shch|sch|sh/g, "s")
    .replace(/kh|ch|h/g, "h")
    .replace(/zh|dj|dz/g, "j")
    .replace(/ts|tz|cz/g, "c")
    .replace(/ph/g, "f")
    .replace(/x/g, "ks")
    .replace(/ck|q/g, "k")
    .replace(/w/g, "v")
    .replace(/[jy]/g, "i")
    .replace(/eo|oe/g, "o")
    .replace(/l/g, "r")
    .replace(/(.)\1+/g, "$1")
