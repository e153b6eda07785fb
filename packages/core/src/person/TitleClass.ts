/**
 * What a job title says of how far up somebody is, and in which department: by its words, in the languages that titles are
 * mostly written in. Pure.
 *
 * Gotchas
 * - Whoever is of no class that a title names has none; nothing is guessed from what is not said.
 * - The highest word counts: `Senior Vice President` is a vice president. Only words before `of`, `to` and `for` say the
 *   rank: an `Assistant to the CEO` is none.
 */
import * as Text from "../value/Text.ts"
import type { Department } from "./PersonDirectory.ts"
import { Seniority } from "./PersonDirectory.ts"

/** Phrases of folded words, the higher rank first. */
const ranks: ReadonlyArray<readonly [Seniority, string]> = [
  ["founder", "founder,cofounder,co founder,founding partner,grunder,grunderin,fondateur,fundador,fundadora,fondatore"],
  ["owner", "owner,co owner,proprietor,inhaber,inhaberin,proprietaire,propietario,proprietario,dueno"],
  ["vp", "vp,svp,evp,avp,vice president,vicepresident,vizeprasident,vice presidente,vicepresidente"],
  [
    "c_level",
    "ceo,cto,cfo,coo,cmo,cio,ciso,cpo,cro,chro,cco,cdo,chief,president,managing director,geschaftsfuhrer,geschaftsfuhrerin,vorstand,directeur general,director general,gerente general,presidente,amministratore delegato"
  ],
  ["partner", "partner,associe,socio,gesellschafter"],
  ["head", "head,leiter,leiterin,bereichsleiter,abteilungsleiter,responsable,jefe,jefa,responsabile,chef"],
  ["director", "director,direktor,direktorin,directeur,directrice,directora,direttore,diretor"],
  ["manager", "manager,mgr,supervisor,team lead,teamlead,teamleiter,gerente,gestionnaire,superintendent,foreman"],
  [
    "intern",
    "intern,internship,trainee,apprentice,working student,werkstudent,praktikant,praktikantin,stagiaire,becario,pasante"
  ],
  ["junior", "junior,jr,assistant,associate,assistent,assistentin,asistente,auxiliar,entry level"],
  ["senior", "senior,sr,lead,principal,staff,expert"]
]

const fields: ReadonlyArray<readonly [Department, string]> = [
  [
    "hr",
    "hr,human resources,people operations,people,talent,recruiter,recruiting,recruitment,personal,personnel,recursos humanos,ressources humaines"
  ],
  ["legal", "legal,counsel,lawyer,attorney,compliance,paralegal,jurist,juriste,abogado,rechtsabteilung,recht"],
  [
    "finance",
    "finance,financial,cfo,accounting,accountant,controller,controlling,treasurer,treasury,audit,auditor,tax,payroll,bookkeeper,finanzen,buchhaltung,finances,finanzas,comptable,contador"
  ],
  [
    "it",
    "it,cio,ciso,information technology,systems administrator,sysadmin,network administrator,information security,security,helpdesk,sistemas,informatik"
  ],
  [
    "engineering",
    "engineering,engineer,cto,developer,development,software,technical,technology,devops,architect,programmer,data,research,r d,ingenieur,entwickler,entwicklung,ingeniero,ingenieria,developpeur,desarrollador"
  ],
  [
    "sales",
    "sales,cro,account executive,account manager,business development,revenue,vertrieb,verkauf,ventas,ventes,commercial,comercial,export manager"
  ],
  ["marketing", "marketing,cmo,brand,growth,seo,content,demand generation,advertising,werbung,mercadeo"],
  ["communication", "communication,communications,public relations,pr,press,media,kommunikation,comunicacion,presse"],
  [
    "operations",
    "operations,coo,logistics,supply chain,procurement,purchasing,buyer,sourcing,warehouse,production,manufacturing,plant,quality,shipping,import,einkauf,logistik,produktion,compras,logistica,operaciones,achats,logistique"
  ],
  [
    "support",
    "support,customer success,customer service,customer care,client services,kundenservice,kundendienst,atencion al cliente"
  ],
  ["design", "design,designer,ux,ui,creative,art director,diseno"],
  ["education", "teacher,professor,lecturer,education,training,instructor,tutor,lehrer,dozent,formation"],
  ["health", "health,medical,nurse,doctor,physician,clinical,pharmacist,arzt,medico,medecin"],
  [
    "executive",
    "ceo,chief executive,chief executive officer,founder,cofounder,co founder,owner,president,managing director,geschaftsfuhrer,geschaftsfuhrerin,board,vorstand,executive director,general manager,directeur general,director general,gerente general,presidente"
  ]
]

const phrasesOf = <Class>(rows: ReadonlyArray<readonly [Class, string]>) =>
  rows.map(([name, phrases]) => [name, phrases.split(",").map((phrase) => ` ${phrase} `)] as const)

const rankPhrases = phrasesOf(ranks)
const fieldPhrases = phrasesOf(fields)

const folded = (title: string): ReadonlyArray<string> => Text.words(Text.bare(title))

const rankEnds = new Set(["of", "to", "for", "der", "des", "de", "du", "del"])

const classIn = <Class>(
  words: ReadonlyArray<string>,
  rows: ReadonlyArray<readonly [Class, ReadonlyArray<string>]>
): Class | null => {
  const text = ` ${words.join(" ")} `
  return rows.find(([, phrases]) => phrases.some((phrase) => text.includes(phrase)))?.[0] ?? null
}

/** `null` for a title that says no rank. */
export const seniority = (title: string | null): Seniority | null => {
  if (title === null) return null
  const words = folded(title)
  const end = words.findIndex((word, index) => index > 0 && rankEnds.has(word))
  return classIn(end === -1 ? words : words.slice(0, end), rankPhrases) ?? classIn(words.slice(0, 3), generalPhrases)
}

/** Ranks that are spelt with one of the words at which a rank ends. */
const generalPhrases = phrasesOf<Seniority>([
  ["director", "director de,directora de"],
  ["head", "jefe de,jefa de"]
])

/** All that a title names; none for a title that names none. */
export const departments = (title: string | null): ReadonlyArray<Department> => {
  if (title === null) return []
  const text = ` ${folded(title).join(" ")} `
  return fieldPhrases.flatMap(([name, phrases]) => (phrases.some((phrase) => text.includes(phrase)) ? [name] : []))
}

/** From the top, for sorting; whoever has no class comes last. */
export const rank = (seniority: Seniority | null): number => {
  const { literals } = Seniority
  const index = literals.findIndex((name) => name === seniority)
  return index === -1 ? literals.length : index
}
