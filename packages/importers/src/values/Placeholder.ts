/**
 * What stands in the place of a name and names nobody: "TO ORDER", "SAME AS CONSIGNEE", "N/A". For a party whose name is
 * one of them the name is unknown.
 */

const order =
  /^(?:UN)?TO (?:THE )?(?:ORDERS?)\b|^ORDER(?: OF .*)?$|^A LA ORDEN\b|^[AÀ] (?:L['’ ])?ORDRE\b|^[AÀ] ORDEM\b/
const same =
  /^(?:THE )?SAME(?: AS .*| CONSIGNEE)?$|^(?:EL |O )?(?:MISMO|MESMO)(?: QUE .*)?$|^IDEM$|^DITTO$|^AS (?:ABOVE|CONSIGNEE|PER .*)$/
const unknown =
  /^(?:N ?[/.] ?[ADR]\.?|NA|N D|NIL|NULL|NONE|NO NAME|NOT (?:AVAILABLE|APPLICABLE|PROVIDED|DECLARED|DISCLOSED|STATED)|UNKNOWN|UNDISCLOSED|CONFIDENTIAL|WITHHELD|UNAVAILABLE)$/
const unknownElsewhere =
  /^(?:NO (?:DISPONIBLE|APLICA|DEFINIDO|IDENTIFICADO|REGISTRA|DECLARADO)|SIN (?:NOMBRE|INFORMACION|DATOS?)|DESCONOCIDO|VARIOS|NAO (?:INFORMADO|DECLARADO|DISPONIVEL)|INCONNU|UNBEKANNT)$/
/** Signs, or one letter again and again. */
const nothing = /^(?:[^\p{L}\p{N}]*|([X0\-.*])\1*)$/u

/** How all of them begin; most names begin otherwise, and are looked at no further. */
const begins =
  /^\s*(?:[^\p{L}\p{N}]|X|0|(?:UN)?TO\s|A\s|À|ORDER|THE\s|SAME|EL\s|O\s|M[IE]SMO|IDEM|DITTO|AS\s|N|UN[KDAB]|CONF|WITH|SIN\s|DESC|VARIOS|INCONNU)/iu

/** `own` are those of one source, in upper case. */
export const is = (name: string, own: ReadonlySet<string> | null = null): boolean => {
  if (own === null && !begins.test(name)) return false
  const text = name.toUpperCase().replace(/\s+/g, " ").trim()
  if (own?.has(text) === true) return true
  if (text.length > 80) return order.test(text)
  return [nothing, order, same, unknown, unknownElsewhere].some((pattern) => pattern.test(text))
}
