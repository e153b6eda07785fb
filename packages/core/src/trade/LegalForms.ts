/**
 * Legal forms of companies as names have them: `S.A.C.`, `GmbH & Co. KG`, `ООО`, `株式会社`, written short or written out.
 *
 * Two spellings of one form compare alike (`Ltda.`, `Limitada`); forms of one class (`GmbH`, `LLC`) are a weak sign of
 * the same company, forms of two classes a weak one against it. What is written out in full is read by its words, so that
 * inflections are understood.
 *
 * Forms, classes and rules are our own. Which forms were still missing was found with a published list, with which
 * `TraderName.test.ts` compares: the share of it that is recognised is no measure for forms that nobody looked for.
 */

import * as NameWords from "./NameWords.ts"

export type LegalClass =
  | "limited"
  | "joint_stock"
  | "partnership"
  | "sole"
  | "cooperative"
  | "state"
  | "association"
  /** Says that it is a company and nothing else: `Co.`, `Cía.`, `شركة`. */
  | "company"

export interface LegalForm {
  /** One for all spellings of a form, e.g. `sac`; `null` for what is written out and in no list. */
  readonly compare: string | null
  readonly class: LegalClass
  /** Where it is used, ISO 3166-1 alpha-2, when that is telling. */
  readonly countries: ReadonlyArray<string>
}

/**
 * `compare | countries | spellings`, each as its folded words; the first spelling is `compare` where none is given. Behind
 * `<` are those that stand in front of names too.
 */
const tables: Readonly<Record<LegalClass, string>> = {
  limited: `
    plc|ET|ሃላፊነቱ የተወሰነ የግል ማህበር
    spe|GE|<შეზღუდული პასუხისმგებლობის საზოგადოება
    bv|NL|b vennootschap
    llc|SA AE|<شركة ذات مسؤوليات محدودة,المساهمة المحدودة
    shk|AL|sh k,shk
    coltd|CN|lc
    ug|DE|ug haftungsbeschr,gemeinnutzige ug haftungsbeschrankt,ug hb
    ltd||сиа,лімітэд
    od|RS BG|од,ортачко друштво
    taa|BY|таа,тда
    gmbh|DE|гмбх
    ltd||лтд,лимітед
    doo|RS|друштво са ограниченом одговорношћу
    abv|BE|abv,bvba eenpersoons,eenpersoons bvba
    qk|UZ|қк,qoshma korxona,қўшма корхона
    ltd||lt,limited by guarantee,limited by shares,ltd by guarantee,lt company,lt co,cyf,cyfyngedig,ll,lt liability company,limited liab co,ltd liab company,professional limited liability company,llc co
    llc|AE|fz establishment,free zone enterprise,fz enterprise,free zone entity,fz entity,freezone company,free zone llc,free zone limited liability company,dubai multi commodities centre,dmcc free zone,dmcc company,dmcc co
    gmbh|DE|ges m b h,gesellsch mbh
    ug|DE|unternehmerges,gug haftungsbeschrankt,gemeinnutzige ug
    shpk|AL|sh p k,shoqeri me pergjegjesi te kufizuar
    ca|VE EC|ca,compania anonima
    smba|DK|smba,ivs,ivaerksaetterselskab,iværksætterselskab,fmba
    hf|IS|hf,hlutafelag,einkahlutafelag
    srl|RO MD|soc resp limitada,soc a resp limitata,societate cu raspundere limitata,societatea cu raspundere
    sarl|FR|soc a resp limitee,soc a responsab limitee
    dno|HR|dno
    spzoo|PL|sp z ogr odp,spolka z ogr odpow
    chuzi|VN|dtnn
    yuhan|KR|yu,yuhanhoesa
    od|RS BG|od,ortacko drustvo
    dp|RS|drustveno preduzece
    ltd||ltd,limited,lmt,lmtd,limted,ltd co,limited co,ltd company,limited company,ltee,limitee,limite,ltd corp<лтд,лимитед
    coltd||co ltd,coltd,company ltd,company limited,co limited,comp ltd,corp ltd,corporation limited,corporation ltd,and co ltd
    coltd|EC|cia ltda,compania ltda,compania limitada,cialtda,c ltda
    pvtltd|IN PK BD LK NP|pvt ltd,private limited,private ltd,pvt limited,private,p ltd,p limited,pvtltd,pvt,privat limited,opc pvt ltd,opc private limited
    pteltd|SG|pte ltd,pte limited,pteltd,pte
    ptyltd|AU ZA BW|pty ltd,pty limited,proprietary limited,proprietary ltd,ptyltd,pty,proprietary limited company
    sdnbhd|MY BN|sdn bhd,sendirian berhad,sdnbhd,sdn berhad
    bhd|MY|bhd,berhad
    llc|US AE RU|llc,limited liability company,limited liability co,ltd liability co,l l c,llcs,pllc,limited liability,ltd liability company<
    llc|AE OM QA|wll,with limited liability,spc llc,fzllc,fz llc,fzco,fze,fzc,dmcc,fz co,free zone company,free zone establishment,free zone co,llc fz
    gmbh|DE AT CH|gmbh,mbh,gesmbh,gesellschaft mbh,ges mbh,gesellschaft mit beschrankter haftung,gesellschaft m b h,ggmbh,gemeinnutzige gmbh
    ug|DE|ug,ug haftungsbeschrankt,gug,unternehmergesellschaft haftungsbeschrankt,unternehmergesellschaft
    sarl|FR MA TN DZ LU LB CI SN CM|sarl,sarlau,suarl,surl,sarl au,societe a responsabilite limitee<sarl,ste a responsabilite limitee
    eurl|FR DZ|<eurl,entreprise unipersonnelle a responsabilite limitee
    sprl|BE CD|sprl,sprlu
    bvba|BE|bvba,besloten vennootschap met beperkte aansprakelijkheid
    bv|NL BE|bv,besloten vennootschap
    srl|IT PE AR MX BO CR RO UY DO|srl,s de rl,sderl,soc de resp ltda,soc resp ltda,srls,srlu,societa a responsabilita limitata,sociedad de responsabilidad limitada,sociedad comercial de responsabilidad limitada,scrl
    srlcv|MX|s de rl de cv,srl de cv,s rl de cv,sociedad de responsabilidad limitada de capital variable,s de r l de c v
    ltda|BR CO CL PT EC GT|ltda,lda,limitada,ltda me,ltda epp,lda unipessoal,unipessoal lda,sociedade limitada,ltd a,sociedad limitada colombia
    eireli|BR|eireli,eireli me,eireli epp
    eirl|PE CL DO|eirl,empresa individual de responsabilidad limitada,e i r ltda
    spa|CL|sociedad por acciones
    sas|CO FR AR EC UY|sas,sasu,sociedad por acciones simplificada,sociedad por acciones simplificadas,societe par actions simplifiee,societe par actions simplifiee unipersonnelle,bic sas,sas bic<
    sl|ES|sl,slu,sll,slne,slp,sociedad limitada,sociedad limitada unipersonal,soc ltda
    aps|DK|aps,anpartsselskab
    sro|CZ SK|sro,spol sro,spol s ro,s r o,spolecnost s rucenim omezenym,spolocnost s rucenim obmedzenym
    doo|HR RS SI BA ME MK|doo,jdoo,dooel,drustvo s ogranicenom odgovornoscu,druzba z omejeno odgovornostjo<доо,дооел
    spzoo|PL|sp zoo,sp z oo,spzoo,spz oo,spolka zoo,spolka z oo,sp zo o,spolka z ograniczona odpowiedzialnoscia
    kft|HU|kft,korlatolt felelossegu tarsasag
    uab|LT|<uab,uzdaroji akcine bendrove
    sia|LV|<sia
    ou|EE|<ou,osauhing
    ab|SE FI|<ab,aktiebolag,aktiebolaget
    oy|FI|<oy,oy ab,ab oy,osakeyhtio,ltd oy,oy ltd
    as|NO|ans
    ehf|IS|ehf
    epe|GR|<επε,ικε,μον επε,μονοπροσωπη επε,epe,ike
    ooo|RU BY|<ооо,ooo,зат ооо,общество с ограниченной ответственностью,одо
    too|KZ|<тоо,too,товарищество с ограниченной ответственностью
    tov|UA|<тов,тзов,tov,товариство з обмеженою відповідальністю
    eood|BG|<оод,еоод,ood,eood
    mchj|UZ|<мчж,mchj,mas uliyati cheklangan jamiyat,xk
    mmc|AZ|<mmc
    spe|GE|<შპს,shps
    llc|AM|<սպը
    ltdsti|TR|ltd sti,limited sirketi,ltd sirketi,limited sti,san ve tic ltd sti,sanayi ve ticaret limited sirketi,sanayi ve ticaret ltd sti,san tic ltd sti,san ve tic ltd,tic ltd sti,ticaret ltd sti,ticaret limited sirketi,ic ve dis tic ltd sti,dis tic ltd sti,dis ticaret ltd sti,dis ticaret limited sirketi,dis tic ltd
    shpk|AL XK|shpk
    tnhh|VN|<tnhh,cong ty tnhh,cty tnhh,cong ty tnhh mtv,cty tnhh mtv,cong ty tnhh mot thanh vien,cong ty trach nhiem huu han,cong ty trach nhiem huu han mot thanh vien,tnhh mtv
    youxian|CN|<有限公司,有限责任公司,有限責任公司,责任有限公司,有限
    yk|JP|<有限会社,有,合同会社,合,yugen kaisha,godo kaisha,gk,yk
    yuhan|KR|<유한회사,유한책임회사,유,yuhan hoesa
    llc|SA AE EG JO|<ذمم,ش ذ م م,شذمم,شركة ذات مسؤولية محدودة,ذات مسؤولية محدودة,المحدودة,محدودة,شركه ذات مسوولية محدودة
    ltd|IL|בעמ,בע מ
    ltd|TH|<บริษัท,จำกัด,จํากัด
    hhk|MN|ххк,xxk,llc mongolia
  `,
  joint_stock: `
    rt|HU|reszvenytarsasag,nyilvanosan mukodo reszvenytarsasag
    plc||public stock company
    sicav||societe d investissement a capital variable,sociedad de inversion de capital variable
    gf|ET GE|አክሲዩን ማህበር,<სააქციო საზოგადოება
    at|UA|at
    scc|CA|scc,societe commerciale canadienne
    sharika|AE|sharikat al mossahamah
    akb|RU UA|акб,кб
    at|BY|аат
    adsic|BG|адсиц,adsic
    evd|BG|ед
    plc||public limited co,pub limited co,pub ltd co,pub limited,publicly ltd company,public ltd corporation,public ltd company,plco,p l co
    sacv|MX|soc anon de cap var,soc anon prom de inv de cap var,sa pi de cv,sapi de c v
    saci|AR|saci y f,sacifi y a,saci y a,saci f
    cpa|DO|c por a,cxa,c x a
    ag|DE CH|aktg,aktien ges,gemeinnutzige ag
    jsc||js co,jnt stock co,j stock company,jt stock co,public jsc,closed jsc,open jsc,joint stock bank,jscb,pjscb,open jnt stock co,joint stock commercial bank,jnt stock company,jt stock company
    inc||incorporado,incorporada
    ab|SE|aktie bolag,a bolag,publikt aktiebolag,aktiebol
    sha|AL|sh a,shoqeri aksionere,shoqeri anonime
    as|CZ TR DK|akc spolecnost,a spolecnost,aktieselskabet,haao,qmj,anl
    scpa|IT|scpa,s c p a,s par a s
    se||europaische gesellschaft,europaische aktiengesellschaft
    as|NO|sarf
    inc|US CA PH|inc,incorporated,incorp,incorporation,inc ltd,incorporee
    corp||corp,corporation,corpn,corpo,corporacion,corporate,corporated
    plc|GB IE NG|plc,public limited company,public ltd co,public limited,ltd plc,pcl,public company limited,public co ltd
    sa||sa,soc anonima,sociedad anonima,societe anonyme,sociedade anonima,s a,soc an,s anonima,sociedad anonima unipersonal,sau,sociedad anonima industrial y comercial<sociedad anonima,societe anonyme
    sac|PE|sac,sociedad anonima cerrada,soc anonima cerrada,s anonima cerrada,soc an cerrada,sac sa,sa c
    saa|PE|saa,sociedad anonima abierta,soc anonima abierta
    sacv|MX|sa de cv,sadecv,sacv,sociedad anonima de capital variable,sab de cv,sapi de cv,sapi,sab,s a de c v,sociedad anonima bursatil de capital variable,sofom enr,sofom,scv,sc de rl de cv
    saci|AR CL|saci,saic,sacif,sacifi,sacifia,saica,saicf,sacia
    spa|IT DZ CL|spa,societa per azioni,sp a
    ag|DE AT CH|ag,aktiengesellschaft,gag,aktienges,akt ges
    se||societas europaea,se
    kgaa|DE|kgaa,kommanditgesellschaft auf aktien,gmbh and co kgaa,gmbh co kgaa,ag and co kgaa,ag co kgaa,se and co kgaa,se co kgaa
    nv|NL BE CW|nv,naamloze vennootschap
    as|NO DK CZ SK TR|as,asa,aktieselskab,akciova spolecnost,akciova spolocnost,anonim sirketi,anonim sirket,as tr,aksjeselskap,allmennaksjeselskap,sanayi ve ticaret anonim sirketi,sanayi ve ticaret as,san ve tic as,sanayi ve tic as,ticaret as,tic as,dis ticaret as,dis tic as,san tic as,anonim ortakligi,tas
    oyj|FI|oyj,julkinen osakeyhtio,abp
    ab|SE|publ,ab publ
    zrt|HU|zrt,nyrt,rt,zartkoruen mukodo reszvenytarsasag
    spolka|PL|spolka akcyjna,ska
    dd|HR SI BA|dd,dionicko drustvo,delniska druzba,ad<ад,ead,еад,акционарско друштво,акционерно дружество
    sha|AL XK|sha
    ae|GR|<αε,αεβε,αεε,αβεε,ανωνυμη εταιρεια,ανωνυμος εταιρεια,ae,aebe
    ao|RU KZ BY|<ао,оао,зао,пао,нао,нпао,ao,oao,zao,pao,nao,jsc,ojsc,cjsc,pjsc,joint stock company,joint stock co,open joint stock company,closed joint stock company,public joint stock company,private joint stock company,акционерное общество,открытое акционерное общество,закрытое акционерное общество,публичное акционерное общество
    at|UA|<ат,пат,прат,ват,зат,прат ат,prat,pat
    as|LV EE|akciju sabiedriba,aktsiaselts
    ab|LT|akcine bendrove
    asc|AZ|asc,qsc
    aj|UZ|aj,oaj,yoaj
    cp|VN|<cong ty co phan,cty cp,ctcp,cty co phan,co phan
    gf|CN TW|<股份有限公司,股份公司,股份,集团有限公司,集團有限公司,集团股份有限公司,控股有限公司
    kk|JP|<株式会社,株,kk,kabushiki kaisha,kabushikikaisha,kabushiki gaisha
    jusik|KR|<주식회사,주,jusik hoesa,jusikhoesa
    pt|ID|<pt,perseroan terbatas
    tbk|ID|tbk,persero,persero tbk
    sae|EG|sae,saog,saoc,sal,sak,kscc,ksc,kpsc,bsc,bscc,saudi joint stock<ش م م,شمم,شركة مساهمة,مساهمة,شركة مساهمة مصرية,ش م ع,شمع,ش م ل,ش م ك
    sad|ES|sad
    sm|ET|አክሲዮን ማህበር
    pjsc|IR|سهامی خاص,سهامی عام,شرکت سهامی خاص,شرکت سهامی
    hk|MN|хк
    ss|GE|<სს
  `,
  partnership: `
    kumiai|JP|<有限責任事業組合,任意組合,匿名組合
    hh|TW|两合公司,無限公司
    snt|IS|sf,snt,sameignarfelag
    dzzd|BG|дззд,кда,сд с ие,s ie
    lp||лп
    lp||ilp,incorporated limited partnership,pilnsabiedriba,komanditsabiedriba,kommanditselskab,partnerselskab,sameignarfelag,kommanditerwerbsgesellschaft,stg,stille gesellschaft
    partg|DE|part g,partnerschaft,mbb,partnerschaft mbb,partg m b b,part mbb,partmbb,part g mbb,gesbr,ges burgerlichen rechts,bgb gesellschaft,eingetragene gbr
    scei|AR|scei,sc e i,sce i,scpa,s cra,scra,comandita simple
    cv|NL BE|comm v,comm va,besl vennootschap
    jv||joint venture,jv
    kda|BG|kda,jtd
    et|HU|et,kv,kozos vallalat
    uu|EE|uu
    llp||llp,limited liability partnership
    lp||lp,limited partnership,ltd partnership
    gp||gp,general partnership,partnership
    kg|DE AT|kg,kommanditgesellschaft
    gmbhcokg|DE AT|gmbh and co kg,gmbh co kg,gmbh cokg,gmbh u co kg,gmbh und co kg,gmbh and cokg,gesellschaft mbh and co kg,mbh and co kg,mbh co kg,ag and co kg,ag co kg,se and co kg,ug and co kg,ug haftungsbeschrankt and co kg,ltd and co kg,gmbh and co ohg,gmbh and co,bv and co kg,gmbh co,stiftung and co kg,eg and co kg
    ohg|DE|ohg,offene handelsgesellschaft,og,oeg,keg
    gbr|DE|gbr,egbr,gesellschaft burgerlichen rechts,partg,partgmbb,partnerschaftsgesellschaft,partg mbb
    snc|FR IT BE|snc,societe en nom collectif,societa in nome collettivo
    scs|FR LU|scs,societe en commandite simple,secs,sc,s en c,soc en comandita,s en cs,sociedad en comandita,sociedad en comandita simple,sociedad colectiva
    sca|FR LU|sca,societe en commandite par actions,s en c por a
    sas|IT|sapa,societa in accomandita semplice,societa in accomandita per azioni
    vof|NL|vof,vennootschap onder firma
    cv|NL ID|<cv,commanditaire vennootschap,persekutuan komanditer
    cva|BE|cva
    sf|IS NO|da,hb,handelsbolag,kommanditbolag,is,interessentskab,ks,kb,ay,avoin yhtio,ky,kommandiittiyhtio
    spk|PL|sp k,spk,sp j,spj,spolka komandytowa,spolka jawna,sp p,sp zoo spk,sp zoo sp k,sp z oo spk,sp z oo sp k,spzoo spk,sp zoo sk
    ks|CZ SK|vos,verejna obchodni spolecnost,komanditni spolecnost
    kd|HR RS BG|kd,кд,komanditno drustvo
    bt|HU|bt,beteti tarsasag,kkt
    oe|GR|<οε,εε,oe,ομορρυθμη εταιρεια,ετερορρυθμη εταιρεια
    sd|BG|сд
    kollsti|TR|koll sti,kollektif sirketi,kom sti,komandit sirketi,adi ortakligi
    gm|JP|<合資会社,合名会社
    hm|KR|<합자회사,합명회사
    tuu|EE|tu,taisuhing,usaldusuhing
    hh|CN|合伙企业,有限合伙,合夥
    tovp|RU|<полное товарищество,товарищество на вере
    ptnr|TH|<ห้างหุ้นส่วนจำกัด
    sp|PT BR|sociedade em nome coletivo,scp
    tadamun|EG|<شركة تضامن,شركة توصية بسيطة
  `,
  sole: `
    pc||pp,pc
    sp|RS SI|s p,sp,пр,предузетник
    pup|BY|пуп,чуп,іп
    ipb|BG|едноличен търговец,ednolichen targovets
    ekfm|DE|e kfm,e kfr,kfm,kfr,eingetr kaufmann
    sole||private enterprise,hindu undivided family,huf
    ik|LV SE FI EE|ik,f ma,fie,enskild naringsidkare,oiminimi,t mi,tmi,fuusilisest isikust ettevotja,opg,xt,oilaviy korxona,xususiy korxona,xususiy tadbirkorlik
    sp|SI RS|samostalni preduzetnik
    sole||sole proprietorship,sole proprietor,sole trader,proprietorship
    ek|DE|ek,ekfm,ekfr,eingetragener kaufmann,eingetragene kauffrau,einzelunternehmen
    ei|FR|<ei,eirl fr,entreprise individuelle
    ip|RU KZ BY|<ип,ip,индивидуальный предприниматель,чп,частный предприниматель
    fop|UA|<фоп,fop,спд,фізична особа підприємець,пп,приватне підприємство
    et|BG|<ет
    pfa|RO|pfa,ii,intreprindere individuala
    mei|BR|mei,me,epp
    eu|UY BO|empresa unipersonal
    dntn|VN|<dntn,doanh nghiep tu nhan
    getihu|CN|个体工商户,個體工商戶
    obrt|HR|obrt
    ev|HU|egyeni vallalkozo,egyeni ceg
    tmi|FI|<tmi,toiminimi
    pfcae|MX|pfae,persona fisica con actividad empresarial
    sp|SI RS|samostojni podjetnik,preduzetnik,pr
    unlimited||unltd,unlimited,ultd
    ud|ID|<ud,usaha dagang
    fa|NL DE|<fa,firma,jdg
  `,
  cooperative: `
    ekd|BG|екд,еоии,кооперация
    scop|FR|societe cooperative de production
    sce||sce,cooperation,kooperatsia,spoldzielni,vvag,versicherungsverein ag,versicherungsverein a g,cvoa,ekd,esv,kht,kozhasznu tarsasag,ege,erdeszeti tarsulas,european economic interest grouping,sem,societe en participation,sgr,onderlinge waarborgmaatschappij,owm,szov
    coop||coop,co op,cooperative,cooperativa,co operative,coop ltda,cooperativa ltda,cooperativa limitada,scoop,scop,soc coop,scarl,soc coop a rl,societa cooperativa,sociedad cooperativa,societe cooperative,cooperatif<cooperativa,coop,sociedad cooperativa,societe cooperative
    eg|DE|eg,eingetragene genossenschaft,genossenschaft,egen
    cvba|BE NL|cvba,ua,cooperatie ua,cooperatie
    amba|DK|amba,andelsselskab
    ekfor|SE|ek for,ekonomisk forening
    htx|VN|<htx,hop tac xa
    spoldzielnia|PL|spoldzielnia
    spk|RU|<спк,пк,кооператив,снт,кфх
    zadruga|HR RS|zadruga
    szov|HU|szovetkezet
    kumiai|JP|<協同組合,組合
    hezuoshe|CN|合作社
    hyeop|KR|협동조합
    osk|FI|osk,osuuskunta
    gie|FR|gie,groupement d interet economique
    eeig||eeig,ewiv
    koop|TR|kooperatifi,koop,kooperatif
    spr|MX|spr de rl,spr de rl de cv,spr
    ute|ES|ute,sat
  `,
  state: `
    soe||state concern,state unitary enterprise,state enterprise of,public sector enterprise,public sector undertaking,pse,psu,gnpp,scientific and production enterprise,peec,sociedad del estado,im,staatskonzern,statni koncern,fgbu
    aor|DE|kor,ku,gku,kommunalunternehmen,gemeinnutziges kommunalunternehmen,anstalt offentlichen rechts
    soe||state owned enterprise,state enterprise,government of,parastatal,government enterprise
    ep|ES EC CO|<empresa publica,ep,eice,empresa estatal,empresa del estado,ese,esp,eps
    epe|FR DZ|<epe,epic,etablissement public
    aor|DE|aor,kdor,eigenbetrieb,anstalt des offentlichen rechts
    gup|RU|<гуп,фгуп,муп,фгбу,фгку,фку,гу,гбу,гоу,гп,дгуп,фгу,мку,мбу,унитарное предприятие,государственное предприятие,gup,fgup,mup
    dp|UA|<дп,державне підприємство,кп
    jp|RS BA HR|<јп,jp,javno preduzece,javno poduzece
    sp|CZ SK|statni podnik,statny podnik
    dnnn|VN|<dnnn,doanh nghiep nha nuoc
    is|MD RO|<intreprinderea de stat,regia autonoma
    duxe|UZ|<duk,дук
    perum|ID|<perum
    pp|PL|przedsiebiorstwo panstwowe
    psu|IN|a government of india undertaking,government of india undertaking,a govt of india enterprise
  `,
  association: `
    ngo||sans but lucratif,vereniging zonder winstoogmerk,organisation internationale
    stiftung|DE CH AT|rechtsfahige stiftung,gemeinnutzige stiftung,stiftung des offentlichen rechts,stiftung des burgerlichen rechts,rechtsf stiftung,stichting particulier fonds
    ong||organizatia societatii civile,organisation non gouvernementale
    ngo||non profit organisation,non governmental organisation,non government organisation,no liability,nl
    na|US|na,national association,nt and sa,professional association,pa
    ngo||charity,charity fund,charitable fund,charitable organisation,civil society organization,civil society organisation,registrerad forening,rf,anpo,vog,spf,saatio,rs,rekisteroity puolue,rp,mittetulundusuhing,oscip,alapitvany,alap,egyes,nichtregierungsorganisation,obcanske sdruzeni,zapsany spolek
    sicav||sicav,sicaf,fond commun de placement,fond de placement,fondo de inversion
    ev|DE|ev,eingetragener verein,verein
    stiftung||stiftung,foundation,fundacion,fondation,fondazione,fundacao,stichting,fundacja<fundacion,fondation,fondazione,stichting,fundacao,fundacja,фонд
    asbl|BE LU|<asbl,aisbl,vzw,ivzw
    ngo||ngo,npo,non profit organization,nonprofit organization,non profit,nonprofit,non governmental organization
    ong||<ong
    ac|MX|ac,asociacion civil
    ry|FI|ry,rekisteroity yhdistys
    zs|CZ|zs,ops,zu,zapsany spolek
    cic|GB|cic,community interest company
    ano|RU|<ано,нко,нп
    asociacion||<asociacion,association,asociatia,associazione,associacao,ass
    shadan|JP|<一般社団法人,社団法人,財団法人,一般財団法人,公益財団法人
    jaedan|KR|<재단법인,사단법인
    onlus|IT|onlus
    mtu|EE|mtu
    egyes|HU|egyesulet,alapitvany
    dernek|TR|dernegi,vakfi
  `,
  company: `
    sube|TR|sube,sb
    pc||professional corporation,qo shma korxona
    co||co,company,comp,coy,companies,cia,compania,companhia,compagnie,cie,compagnia,and co,and company,y cia,y compania,e cia,et cie,et compagnie,and cie,e compagnia,und co,u co,y cia ltda<cia,compania,companhia,compagnie,the company,cty,cong ty,ste,societe,soc,ets,etablissements,etabl,sociedad,societa,sociedade,kompaniya,компания,компанія
    gongsi|CN|<公司
    kaisha|JP|<会社
    hoesa|KR|<회사
    sharika||<شركة,شركه,شرکت,موسسة,مؤسسة
    etaireia|GR|<εταιρεια
    sirket|TR|sirketi,sti,san ve tic,san tic,sanayi ve ticaret
    chevra|IL|<חברה,חברת
    group||and sons,and bros
  `
}

interface Entry {
  readonly words: ReadonlyArray<string>
  readonly form: LegalForm
}

interface Reading {
  /** Forms by their last word, the longer first. */
  readonly atEnd: ReadonlyMap<string, ReadonlyArray<Entry>>
  /** Forms by their first word, the longer first. */
  readonly atFront: ReadonlyMap<string, ReadonlyArray<Entry>>
  /** Forms of scripts that put no space between words, the longer first. */
  readonly attached: ReadonlyArray<Entry>
}

const classes: ReadonlyArray<LegalClass> = [
  "limited",
  "joint_stock",
  "partnership",
  "sole",
  "cooperative",
  "state",
  "association",
  "company"
]

const unspaced = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Thai}]+$/u

const put = (into: Map<string, Array<Entry>>, key: string | undefined, entry: Entry): void => {
  if (key === undefined) return
  const others = into.get(key)
  if (others === undefined) into.set(key, [entry])
  else if (!others.some(({ words }) => words.join(" ") === entry.words.join(" "))) others.push(entry)
}

const longerFirst = (a: Entry, b: Entry): number =>
  b.words.length - a.words.length || b.words.join("").length - a.words.join("").length

/** At the front of a name they are rather its initials: `AB Foods`. */
const common = /^(?!pt|cv|ud)[a-z]{1,2}$/

const entriesOf = (spellings: string, form: LegalForm): ReadonlyArray<Entry> =>
  spellings.split(",").flatMap((spelling) => {
    const words = NameWords.of(spelling)
    return words.length === 0 ? [] : [{ words, form }]
  })

const read = (): Reading => {
  const [atEnd, atFront, attached] = [
    new Map<string, Array<Entry>>(),
    new Map<string, Array<Entry>>(),
    new Array<Entry>()
  ]
  const add = (entry: Entry, front: boolean) => {
    put(atEnd, entry.words.at(-1), entry)
    if (front && !common.test(entry.words.join(" "))) put(atFront, entry.words[0], entry)
    if (entry.words.length === 1 && unspaced.test(entry.words[0] ?? "") && [...(entry.words[0] ?? "")].length > 1)
      attached.push(entry)
  }
  for (const kind of classes) {
    for (const line of tables[kind].trim().split("\n")) {
      const [compare = "", countries = "", spellings = ""] = line.trim().split("|")
      const form = { compare, class: kind, countries: countries === "" ? [] : countries.split(" ") }
      const [end = "", front = ""] = spellings.split("<")
      for (const entry of entriesOf(end, form)) add(entry, false)
      for (const entry of entriesOf(front, form)) add(entry, true)
    }
  }
  for (const entries of [...atEnd.values(), ...atFront.values()]) entries.sort(longerFirst)
  return { atEnd, atFront, attached: attached.sort(longerFirst) }
}

const known = read()

/**
 * Words of forms that are written out, by their beginnings, in Latin and Cyrillic: heads (`sociedad`, `společnost`),
 * words that no name has but in a form (`anónima`, `Haftung`), and words that may stand in one (`capital`, `öffentlich`).
 */
const stems = {
  head:
    "socie socii gesel druzh drush drust druzb druzes sharik venno selsk selsa sabie obshc obsch obsce tovar tavar bendr spole spolo " +
    "spolk tarsas comp korp corp firm predpr preduz poduz entrepr entrepri enterpri empres intrep interp ortak sirke kumpan " +
    "jamiy korxon cemiy shoqe hoesa kaisha uchre organiz orhaniz arhaniz obyed obied objed asoci associ assoc coope koope udruz " +
    "osake yhtio yhdis bolag forening veren verei zdruz zadru spole institut partners partnerstv unternehm verenig vereinig " +
    "organis intrepr intrepri podnik undern soc sociat societe tavaryst tovaryst obshh obscht obsh zavod koncern konzern grouping fundus instyt impresa entita druj druzest drujest " +
    "общест товар тавар друж друш предпр предуз підпр учрежд организ орган обєд объед ассоц коопер кооп компан партн жамият корхон " +
    "товариств εταιρ ετερο undertak stowarz spolek drustv druztv cuideach societ ortac хозяис",
  strong:
    "obscht obsht gkonom akts otkryto akcjon military militar uzdar einzeluntern aksiyadorl " +
    "dinteret dinvest deconom detat feder obshchestvenn obschestvenn obscestvenn " +
    "joint eingetr foderal gewone eenpers aandeelh gensid governa neguvern gouvernem vallalat acik ochiq yopiq tulajd andelsl alimentat kapali tipli civila inscritas inmobil agropec " +
    "beschr besch onbeper neogran otwart rechtsf berufs gegenseit versicherungsv wirtschaftl aandee konunti konung akcyj inscrit vallalk jednoduch evropeysk europae evropsk comercij vastuul zadalzh acyyan akciy ednolich individual naucn verenn winst interesno interesi economis samenwerk targovets korlat solidarn egyszer halka raspund respund respub prospes zakryt otkryt otkrit zakrit odkryt vidkryt vidkrit adkryt adkrit otkr otvoren publichn " +
    "terbat deportiv omanais garant recip individ oktober staatl staats statni statali statale statsejed statului estatal estado panstwow etatowe jednotny nevlad niegov nederz nedzia nedzj nedz neuryad neurjad nekomer pozarz mimovlad obyadn abyadn abjadn volonter dabrac dabrach blahod gouvernement gubernament governament guvern " +
    "reszveny kozker gazdasag cooperativ kooperativ ikonomich economiq economis investis investits inversion paevoi paievyi tokumei kumiai sachko solidar offentligret aandel andels stille burgerl offentl prive privee openbare avoin avatud atviroj viesoji verejna javno javna delnisk kolektif kooperatif kommunal trgovack dopoln dodatk dadatk qoshimch qapali acig aciq halka actiun actiuni publik einheits foder " +
    "прыватн приватна субъект подприем хусус оилав мусс қўшимч ёпиқ очиқ спец събир жилья недвиж военн військ окружн детск отдел службы пожарн противоп областн бюджетн дошкольн сооруж садов " +
    "едноличн ацыян субект субєкт физич фізич предпринимат підприєм частн унітарн иностр европеиск науков виробн персон едноособ неогран комерц коммерч кредитн небанк участ " +
    "закрыт откры закрит відкрит адкрыт закрыта публичн публічн приватн прыватн дополн додатк дадатк хязгаар хариуц хувьца участі благод добро дабрач паевой инвест кредит крестьян фермер учредено событ събират " +
    "limit limt lmtd lmited responsab respons otgov otvet odpow odgov haftu beschr aansprak beperk ansvar begra begren vidpov " +
    "ogran obmezh obmeze omeze rucen ierobez atbild felel korlat ribot atsak cheklan masuliy pergj kufiz abmez adkaz mesul mehdud " +
    "besloten liabil proprietar anonim anonym anoni aktieb aktien aktsion aktsiy aktsio akcion akcio akcij akcin akcie akcyj akcyy aksiyad aksion aksje aksjo " +
    "azioni accoes acoes dionic delnis naaml naamlo reszv saham sehmd jointstock hlutaf comhsto kommandit komandit " +
    "comandit commandit kollekt colettivo colectiv genossen andelss unipers unipes eingetragen sendirian berhad unitar unitarn " +
    "byudzhet budget nekommer nonprofit grazhdan gemeinn offene personengesellschaft simplif unlimited acciones actions " +
    "ограни ответ отгов одгов обмеж відпов акцион акціон акцыян акция абмеж адказ масъул чеклан унитар унітар индивид інди " +
    "бюджет казенн автоном государст державн муницип федеральн некоммер командит περιορ ευθυν ανωνυ ανωνι ομορρ gosudar munits munici " +
    "federal avtonom kazenn blagotv благотв благод громад hromad voluntar волонт charit governm sans lucrat winstoog erwerbs",
  filler:
    "state handels niet nao stock non not sans profit capit capac varia public publi privat private open close clos joint single member proprie mit offentl rechts mixed mixte econom ekonom " +
    "zakry otkry vidkr adkry pryvat publich juli julkin mukod zartk nyilv offen auf burger industr comerc commer comer foreign invest " +
    "financ finanz obrazov share participation particip sole owner general special zone free econo limited jednost ednol jednoc " +
    "promot inversi bursat garant recipro social societa laboral nueva empres nova capitale international internat europ evrop europa " +
    "откр закры закри публ непубл відкр адкры прыват приват научн образов общеобр дошкол специал областн дополн коррек професс выс " +
    "произв потреб сельск местн религ партнер первичн профсоюз национ крестьян фермер еднолич европ evro nauch proizv scientif " +
    "gospod interes interess grupp gruppo groupem gruppi reciproca variabl dokhod bank kommerch commercial civile civil society loi federal regime ouverte aberta abierta close generale settlement tipa otkrytogo type korlat kulfold szekhely tarsad nobis " +
    "типа коммерч банк страхов фонд финанс"
} as const

type Said = keyof typeof stems

/** Words between those. */
const glue: ReadonlySet<string> = new Set(
  (
    "de con por par per a di of with and the der des du la le en et i y e s c z zo o ar su sa me med met van voor for u op um na po za " +
    "со с з і и та в для cu pe d al el da do dos zonder b no niet but pe non not co ve bil ob sp spol ltd ad ye by het e"
  ).split(" ")
)

const byBeginning = ((): ReadonlyMap<string, ReadonlyArray<readonly [stem: string, said: Said]>> => {
  const found = new Map<string, Array<readonly [string, Said]>>()
  for (const said of ["head", "strong", "filler"] as const) {
    for (const stem of stems[said].split(" ").map((stem) => NameWords.of(stem)[0] ?? "")) {
      const others = found.get(stem.slice(0, 4))
      if (others === undefined) found.set(stem.slice(0, 4), [[stem, said]])
      else others.push([stem, said])
    }
  }
  // The longer beginning says more: `obshchestvenn` is not `obshch`.
  for (const others of found.values()) others.sort(([a], [b]) => b.length - a.length)
  return found
})()

const saidOf = (word: string): Said | "glue" | null => {
  if (glue.has(word)) return "glue"
  return byBeginning.get(word.slice(0, 4))?.find(([stem]) => word.startsWith(stem))?.[1] ?? null
}

/** What class the words of a form speak of, the first that fits. */
const spoken: ReadonlyArray<readonly [LegalClass, RegExp]> = [
  [
    "state",
    /\b(?:state|gosudar|munic|munits|federal|budget|byudzhet|unitar)|государст|державн|муницип|федерал|унитар|унітар|бюджет|казен/
  ],
  ["cooperative", /coop|koop|genossen|andels|кооп|zadru/],
  [
    "association",
    /associ|asoci|verein|forening|charit|nekommer|nonprofit|lucrat|winstoog|некоммер|благо|громад|общественн/
  ],
  ["sole", /unipers|unipes|indiv|sole|индивид|інди|einzel/],
  ["partnership", /partn|omm?andit|kollekt|colect|colett|offene|ομορρ|командит|партн/],
  [
    "limited",
    /limit|respons|otgov|otvet|odpow|odgov|haft|aansprak|ansvar|vidpov|rucen|ierobez|felel|pergj|liab|ответ|отгов|одгов|відпов|ευθυν/
  ],
  ["joint_stock", /./]
]

/** A run of words that are a form written out; `null` for what is none. */
const writtenOut = (words: ReadonlyArray<string>): LegalForm | null => {
  const said = words.map(saidOf)
  const [heads, strong] = [said.filter((one) => one === "head").length, said.filter((one) => one === "strong").length]
  if (strong === 0 || heads + strong < 2) return null
  const text = words.join(" ")
  return { compare: null, class: spoken.find(([, pattern]) => pattern.test(text))?.[0] ?? "company", countries: [] }
}

/** A form at one end of a name, and how many words it is of. */
export interface Found {
  readonly form: LegalForm
  readonly length: number
}

const begins = (words: ReadonlyArray<string>, entry: Entry, at: number): boolean =>
  at >= 0 && entry.words.every((word, index) => words[at + index] === word)

/** The form at the end of these words. */
export const atEnd = (words: ReadonlyArray<string>): Found | null => {
  const last = words.at(-1)
  if (last === undefined) return null
  const entry = known.atEnd.get(last)?.find((entry) => begins(words, entry, words.length - entry.words.length))
  const length = entry?.words.length ?? 0
  if (last.length < 4 || saidOf(last) === null) return entry === undefined ? null : { form: entry.form, length }
  let start = words.length
  while (start > 0 && saidOf(words[start - 1] ?? "") !== null) start--
  while (start < words.length && saidOf(words[start] ?? "") === "glue") start++
  // "Sociedad" alone may be a name's; what is before the first word of forms is not theirs.
  while (start < words.length && saidOf(words[start] ?? "") === "filler" && saidOf(words[start + 1] ?? "") !== "strong")
    start++
  // What stands before a known form has to be one by itself: "Enterprise Limited" is a company called "… Enterprise".
  const rest = words.slice(start, words.length - length)
  const form = rest.length === 0 || writtenOut(rest) === null ? null : writtenOut(words.slice(start))
  if (form !== null) return { form, length: words.length - start }
  return entry === undefined ? null : { form: entry.form, length }
}

/** The form at the front of these words. */
export const atFront = (words: ReadonlyArray<string>): Found | null => {
  const first = words[0]
  if (first === undefined) return null
  const entry = known.atFront.get(first)?.find((entry) => begins(words, entry, 0))
  const length = entry?.words.length ?? 0
  if (first.length < 5 || saidOf(first) === null) return entry === undefined ? null : { form: entry.form, length }
  let end = 0
  while (end < words.length && saidOf(words[end] ?? "") !== null) end++
  while (end > 0 && !["head", "strong"].includes(saidOf(words[end - 1] ?? "") ?? "")) end--
  const form = end <= length ? null : writtenOut(words.slice(0, end))
  if (form !== null) return { form, length: end }
  return entry === undefined ? null : { form: entry.form, length }
}

/** A form that is written without a space, at the front or at the end of a word, and what is left of the word. */
export const attached = (word: string): { readonly form: LegalForm; readonly rest: string } | null => {
  const entry = known.attached.find(
    ({ words: [form = ""] }) => word !== form && (word.startsWith(form) || word.endsWith(form))
  )
  if (entry === undefined) return null
  const [form = ""] = entry.words
  return { form: entry.form, rest: word.endsWith(form) ? word.slice(0, -form.length) : word.slice(form.length) }
}

const cutWords =
  "limited limitada incorporated corporation company anonima cerrada responsabilidad private proprietary".split(" ")

/** The words of a name that was cut off with its last word whole, where that is the beginning of a form: `PTE LIMIT`. */
export const completed = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = words.at(-1) ?? ""
  const whole = last.length < 3 ? undefined : cutWords.find((word) => word.startsWith(last))
  return whole === undefined ? words : [...words.slice(0, -1), whole]
}

/** How the forms of two names speak for one company: 1 one form, 0 nothing to say, -1 forms of two classes. */
export const agreement = (a: ReadonlyArray<LegalForm>, b: ReadonlyArray<LegalForm>): -1 | 0 | 1 => {
  const [some, others] = [a, b].map((forms) => forms.filter((form) => form.class !== "company"))
  if (some === undefined || others === undefined || some.length === 0 || others.length === 0) return 0
  if (some.some((x) => others.some((y) => x.compare !== null && x.compare === y.compare))) return 1
  return some.some((x) => others.some((y) => x.class === y.class)) ? 0 : -1
}
