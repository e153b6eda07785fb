/**
 * What words of names speak of: places, kinds of business, forwarding. They tell traders apart less than other words do.
 * The lists are of our own making, countries are those of ISO 3166-1 (`countries-list`).
 */
import { countries } from "countries-list"
import * as NameWords from "./NameWords.ts"

const setOf = (...lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ").flatMap((word) => NameWords.of(word))))

/** Parts of countries' names that are no place by themselves. */
const notPlaces = setOf(
  "and of the new south north east west central united republic islands island saint san do da la el de territory territories",
  "guinea isle man us minor outlying federated states city bissau democratic coast ivory french southern northern british ocean"
)

const countryWords = Object.values(countries)
  .flatMap(({ name, native }) => [...NameWords.of(name), ...NameWords.of(native)])
  .filter((word) => word.length > 2 && !notPlaces.has(word))

const otherPlaces = [
  "usa uk uae prc rok eeuu eua hk hongkong hong kong arabia korea viet nam emirates britain england scotland wales holland",
  "america americas american americana americano asia asian asiatic africa african europe european europa euro latam",
  "latin latino latinoamerica latinoamericana sudamerica sudamericana centroamerica mercosur iberica iberia scandinavia",
  "nordic baltic balkan mediterranean pacific atlantic caribbean gulf andina andino andean eurasia eurasian orient oriental",
  "chinese indian japanese korean vietnamese thai malaysian indonesian filipino taiwanese peruana peruano peruvian chilena",
  "chileno chilean colombiana colombiano colombian mexicana mexicano mexican brasileira brasileiro brasileno brazilian",
  "argentina argentino ecuatoriana ecuatoriano boliviana boliviano venezolana venezolano uruguaya uruguayo paraguaya",
  "espanola espanol spanish portuguesa portugues portuguese francaise francais france french deutsche deutscher deutsch",
  "deutschland german germany italiana italiano italian turkish turk turkiye turkey russian rossiya rus hellas hellenic greek",
  "polska polski polish czech magyar hungarian nederland nederlandse dutch belgium belgique belgie suisse schweiz swiss",
  "osterreich austria svenska sverige swedish norsk norge dansk danmark danish suomi finnish marocaine maroc morocco egypt",
  "egyptian misr saudi kuwait qatar oman emirati israel israeli pakistani bangladeshi lanka lankan nigerian kenya kenyan",
  "australian canadian canadienne zealand singapore brasil brazil espana peru chile colombia mexico ecuador bolivia",
  "shanghai beijing peking shenzhen guangzhou ningbo qingdao tianjin dalian xiamen hangzhou suzhou wuxi nanjing yiwu dongguan",
  "foshan zhongshan zhuhai fuzhou quanzhou wenzhou chengdu chongqing wuhan xian changsha zhengzhou jinan yantai weifang",
  "zhejiang jiangsu guangdong shandong fujian hebei henan hubei hunan anhui sichuan liaoning jiangxi guangxi yunnan hainan",
  "shaoxing jiaxing taizhou jinhua huzhou nantong changzhou zhenjiang yangzhou xuzhou linyi zibo shijiazhuang taipei taichung",
  "kaohsiung tainan hsinchu seoul busan incheon daegu daejeon ulsan gwangju tokyo osaka nagoya yokohama kobe kyoto fukuoka",
  "mumbai bombay delhi kolkata calcutta chennai madras bangalore bengaluru hyderabad ahmedabad surat pune jaipur ludhiana",
  "kanpur tirupur coimbatore kochi cochin rajkot gujarat punjab maharashtra karachi lahore sialkot faisalabad dhaka",
  "chittagong chattogram colombo kathmandu yangon bangkok hanoi saigon haiphong danang hcm hcmc jakarta surabaya semarang",
  "bandung manila cebu kuala lumpur penang johor selangor dubai sharjah abudhabi dhabi ajman jeddah riyadh dammam doha muscat",
  "manama beirut amman cairo alexandria casablanca tangier tanger rabat tunis algiers alger lagos abuja nairobi mombasa accra",
  "durban johannesburg capetown istanbul izmir ankara bursa gaziantep mersin adana konya denizli kayseri moscow moskva",
  "moscow petersburg spb novosibirsk ekaterinburg kazan vladivostok kiev kyiv odessa odesa kharkiv minsk almaty tashkent",
  "london manchester birmingham liverpool glasgow dublin paris lyon marseille bordeaux nantes lille berlin hamburg munich",
  "munchen muenchen frankfurt koln koeln cologne dusseldorf stuttgart bremen leipzig wien vienna zurich geneva basel milano",
  "milan roma rome torino napoli genova bologna firenze venezia madrid barcelona valencia sevilla bilbao zaragoza malaga",
  "vigo lisboa lisbon porto amsterdam rotterdam antwerp antwerpen brussels bruxelles gent copenhagen kobenhavn stockholm",
  "goteborg oslo bergen helsinki warszawa warsaw krakow gdansk lodz poznan wroclaw praha prague brno bratislava budapest",
  "bucuresti bucharest constanta sofia beograd belgrade zagreb ljubljana athens athina thessaloniki piraeus york angeles",
  "chicago houston miami dallas seattle boston atlanta california texas florida jersey illinois georgia carolina ohio",
  "michigan oregon toronto montreal vancouver ontario quebec sydney melbourne brisbane perth auckland lima callao arequipa",
  "trujillo piura cusco bogota medellin cali barranquilla cartagena bucaramanga antioquia santander santiago valparaiso",
  "guayaquil quito cuenca paz guadalajara monterrey tijuana puebla jalisco veracruz paulo rio janeiro santos curitiba",
  "parana paranagua catarina bahia minas gerais aires cordoba rosario mendoza montevideo asuncion caracas panama managua",
  "guatemala salvador honduras nicaragua costa rica dominicana habana jamaica trinidad",
  "москва москвы российская российский россия рус московский петербург новосибирск екатеринбург казань владивосток киев київ",
  "одеса одесса україна украина украинский минск беларусь белорусский алматы казахстан ташкент узбекистан урал уральский",
  "сибирь сибирский дальневосточный азия европа αθηνα αθηνων θεσσαλονικη θεσσαλονικης πειραιας πειραιως ελλας ελλαδα",
  "ελλαδος ελληνικη κρητη κρητης دبي القاهره مصر المصريه السعوديه الرياض جده العربيه الامارات الكويت قطر عمان المغرب",
  "بيروت لبنان الاردن عمان العراق بغداد الخليج الشارقه الاسكندريه nam viet hanoi noi chi minh sai gon nang dong binh duong"
]

const places = new Set([...countryWords, ...setOf(...otherPlaces)])

const business = setOf(
  "trading trade trader traders import imports importer importers importing importacion importaciones importadora importador",
  "export exports exporter exporters exporting exportacion exportaciones exportadora exportador impex importexport",
  "importacao exportacao comercial comerciales comercio comercializadora comercializacion comercializacao commercial commerce",
  "commerciale distribution distributor distributors distribuidora distribuidores distribuciones distribucion distribuidor",
  "industrial industries industry industria industrias industriale industrie industriel industrielle indl inds ind",
  "international internacional internationale internacionales intl int global globales world worldwide mundial",
  "general generales group grupo groupe gruppe gruppo holding holdings corporation enterprise enterprises ent entreprise",
  "empresa empresas company companies service services servicio servicios servicos dienstleistung solution solutions",
  "soluciones solucoes product products producto productos produtos produits produkte prodotti goods supply supplies supplier",
  "suministros manufacturing manufacture manufacturer manufacturers manufactura manufacturas mfg mfrs mfr factory fabrica",
  "works plant production produccion producoes productions producciones system systems sistemas systeme systems tech",
  "technology technologies tecnologia tecnologias technologie technik technical tecnica development investments investment",
  "inversiones investimentos negocios business marketing management representaciones agencia agency agencies sales ventas",
  "food foods alimentos alimentaria alimenticia alimentares aliments lebensmittel agro agri agricola agricultural agroindustrial",
  "agroindustrias agroexport fruit fruits frutas seafood seafoods fish pesquera pesca beverage beverages bebidas coffee cafe",
  "textile textiles textil texteis textilien garment garments clothing apparel fashion confecciones confeccoes fabrics knit",
  "shoes footwear calzado calzados leather cuero chemical chemicals quimica quimicos quimicas chemie chimie pharma",
  "pharmaceutical pharmaceuticals farmaceutica medical health healthcare electronics electronic electronica electric",
  "electrical electricos elektronik elektro machinery machine machines maquinaria maquinarias maquinas maschinen maschinenbau",
  "machinerie equipment equipments equipos equipamentos equipo metal metals metales metalurgica metallurgical steel aceros acero",
  "iron aluminium aluminum stahl mining minera mineral minerals minerales mineria minerals auto automotive automotriz autopartes",
  "autoparts motor motors parts repuestos spare furniture muebles moveis mobel mobilya plastic plasticos plastics plastik",
  "plastiques plasticas packaging envases embalagens paper papel wood madera maderas madeiras timber toys toy gifts gift crafts",
  "handicrafts jewelry jewellery glass vidrio ceramics ceramica tiles stone stones marble construction constructora construcciones",
  "construcoes building materials materiales materiais material hardware tools ferreteria energy energia power oil gas petroleum",
  "petroleo logistics logistica transport transportes transporte shipping freight cargo forwarding maritime marine line lines",
  "store stores tienda tiendas supermarket supermercados market markets retail wholesale home house casa sport sports deportes",
  "innovation innovations design designs studio digital computer computers computing software network networks communication",
  "communications telecom research science scientific laboratory laboratories laboratorio laboratorios lab labs engineering",
  "ingenieria engenharia engineers handel handels handelsgesellschaft vertrieb vertriebs import-export grosshandel werk werke",
  "fabrik produktion ticaret sanayi sanayii san tic dis ithalat ihracat gida tekstil insaat makina makine pazarlama urunleri",
  "ltd nhap khau xuat thuong mai dich vu san xuat dau tu phat trien thuc pham det cong nghe nghiep quoc te commerciale",
  "societe generale negoce fournitures materiel alimentaire alimentaires textile francaise materiaux etablissements",
  "new royal best first",
  "торговый торговая торг дом компания группа импорт экспорт импэкс промышленная промышленный завод фабрика комбинат производство",
  "международная международный трейд трейдинг торговля сервис продукт продукты пищевой продовольственная холдинг строй снаб",
  "εμπορικη εμπορια βιομηχανια βιομηχανικη εισαγωγες εξαγωγες τροφιμα προιοντα διεθνης υιοι αφοι",
  "للتجاره التجاريه التجاره للاستيراد والتصدير للصناعه الصناعيه الدوليه العالميه للمواد الغذائيه مجموعه العامه والصناعه للمقاولات"
)

/** Words of business in scripts without spaces, and places, both to be cut off a name. */
const unspacedBusiness = (
  "进出口 对外贸易 国际贸易 贸易 国际 实业 工业 商贸 科技 技术 电子 电器 机械 机电 设备 制造 纺织 服装 服饰 食品 化工 医药 塑料 塑胶 五金 家具 工艺品 集团 " +
  "控股 投资 发展 企业 商行 工厂 厂 物流 货运代理 货运 国际物流 供应链 汽车 配件 材料 新材料 建材 金属 钢铁 制品 用品 日用品 玩具 鞋业 包装 农业 水产 农产品 能源 光电 " +
  "贸易商社 通商 商事 商会 工业株 产业 产业株 制作所 贸易株 物产 电机 电气 食品工业 水产 兴业 制药 化学 机械工业 印刷 运输 仓库 制造所 " +
  "インターナショナル コーポレーション トレーディング ジャパン フーズ グループ ホールディングス テクノロジー サービス " +
  "무역 상사 산업 전자 식품 물산 국제 상회 통상 공업 기계 화학 섬유 물류 인터내셔널 코퍼레이션 트레이딩 글로벌 코리아 그룹 제약 수산 교역 테크 " +
  "การค้า อินเตอร์เนชั่นแนล อุตสาหกรรม เทรดดิ้ง"
)
  .split(" ")
  .flatMap((word) => NameWords.of(word))

const unspacedPlaces = (
  "中国 上海市 上海 北京市 北京 深圳市 深圳 广州市 广州 宁波市 宁波 青岛市 青岛 天津市 天津 大连市 大连 厦门市 厦门 杭州市 杭州 苏州市 苏州 无锡市 无锡 南京市 南京 " +
  "义乌市 义乌 东莞市 东莞 佛山市 佛山 中山市 中山 福州市 福州 泉州市 泉州 温州市 温州 成都市 成都 重庆市 重庆 武汉市 武汉 西安市 西安 浙江省 浙江 江苏省 江苏 " +
  "广东省 广东 山东省 山东 福建省 福建 河北省 河北 河南省 河南 湖北 湖南 安徽省 安徽 四川省 四川 辽宁省 辽宁 江西 广西 云南省 云南 香港 台湾 台北 高雄 " +
  "日本 东京 大阪 名古屋 横浜 神户 京都 福冈 한국 서울 부산 인천 대구 대전 울산 광주 대한 ไทย กรุงเทพ"
)
  .split(" ")
  .flatMap((word) => NameWords.of(word))

const pieces = new Set([...unspacedBusiness, ...unspacedPlaces])
const longestPiece = Math.max(...[...pieces].map((piece) => piece.length))
for (const place of unspacedPlaces) places.add(place)
const unspacedKinds: ReadonlySet<string> = new Set(unspacedBusiness)

export const isPlace = (word: string): boolean => places.has(word)

/** Whether many traders of one trade have the word. */
export const isBusiness = (word: string): boolean => business.has(word) || unspacedKinds.has(word)

/** Places and kinds of business. */
export const isWeak = (word: string): boolean => places.has(word) || business.has(word) || unspacedKinds.has(word)

/** A word of a script without spaces as places at its front, kinds of business at its end, and what is between. */
export const parted = (word: string): ReadonlyArray<string> => {
  const [front, end]: [Array<string>, Array<string>] = [[], []]
  let rest = word
  const cut = (at: (length: number) => string, keep: (piece: string) => void) => {
    for (let length = Math.min(longestPiece, rest.length - 1); length > 1; length--) {
      const piece = at(length)
      if (!pieces.has(piece)) continue
      keep(piece)
      return piece.length
    }
    return 0
  }
  for (;;) {
    const length = cut(
      (length) => rest.slice(0, length),
      (piece) => places.has(piece) && front.push(piece)
    )
    if (length === 0 || !places.has(rest.slice(0, length))) break
    rest = rest.slice(length)
  }
  for (;;) {
    const length = cut(
      (length) => rest.slice(-length),
      (piece) => end.unshift(piece)
    )
    if (length === 0) break
    rest = rest.slice(0, -length)
  }
  return rest === "" ? [...front, ...end] : [...front, rest, ...end]
}

const forwarding = setOf(
  "forwarding forwarder forwarders freight nvocc logistics logistic logistica logistique logistik logistiks lojistik cargo",
  "spedition speditions speditionsgesellschaft transitario transitarios transitaire consolidators consolidator aduanas aduanero",
  "aduanera customs despachante brokers broker nakliyat логистика логистик экспедиция экспедирование транспортная 货运 货运代理 国际物流 物流 물류",
  "expeditors schenker panalpina dsv dhl ceva damco hellmann bollore geodis dachser rhenus sinotrans kerry yusen topocean",
  "vanguard honour"
)

/** Words of which two in a row are a forwarder's name. */
const forwarders = new Set([
  "kuehne nagel",
  "nippon express",
  "robinson worldwide",
  "ch robinson",
  "apex maritime",
  "blue anchor",
  "ups supply",
  "fedex trade",
  "agility logistics",
  "honour lane",
  "de well",
  "orient express",
  "expeditors international",
  "cosco shipping"
])

const firstOfForwarders = new Set([...forwarders].map((name) => name.split(" ")[0] ?? ""))

/** Whether a name is of one who carries goods for others. */
export const isForwarder = (words: ReadonlyArray<string>): boolean =>
  words.some(
    (word, index) =>
      forwarding.has(word) || (firstOfForwarders.has(word) && forwarders.has(`${word} ${words[index + 1] ?? ""}`))
  )
