/**
 * Country codes of three digits: those of Brazil (CO_PAIS) and of Colombia (PAISGEN). The two lists have one origin, many
 * numbers in common, and some that are one country here and another there.
 *
 * Gotcha: only the countries that most trade is with. A code that is not here gives no country; for Brazil an operator's
 * `PAIS.csv` can say the rest.
 */

const brazil = `013 AF,017 AL,023 DE,037 AD,040 AO,043 AG,053 SA,059 DZ,063 AR,064 AM,069 AU,072 AT,073 AZ,077 BS,080 BH,081 BD
083 BB,085 BY,087 BE,088 BZ,090 BM,093 MM,097 BO,098 BA,101 BW,105 BR,111 BG,127 CV,137 KY,141 KH,145 CM,149 CA,153 KZ,154 QA
158 CL,160 CN,161 TW,163 CY,169 CO,187 KP,190 KR,193 CI,195 HR,196 CR,198 KW,199 CU,229 BJ,232 DK,235 DM,239 EC,240 EG,244 AE
245 ES,246 SI,247 SK,249 US,251 EE,253 ET,267 PH,271 FI,275 FR,281 GA,285 GM,289 GH,291 GE,293 GI,297 GD,301 GR,317 GT,329 GN
337 GY,341 HT,345 HN,351 HK,355 HU,357 YE,361 IN,365 ID,369 IQ,372 IR,375 IE,379 IS,383 IL,386 IT,391 JM,399 JP,403 JO,420 LA
427 LV,431 LB,434 LR,438 LY,440 LI,442 LT,445 LU,447 MO,449 MK,450 MG,455 MY,458 MW,461 MV,464 ML,467 MT,474 MA,485 MU,488 MR
493 MX,494 MD,495 MC,497 MN,498 ME,505 MZ,507 NA,517 NP,521 NI,525 NE,528 NG,538 NO,542 NC,545 PG,548 NZ,556 OM,573 NL,576 PK
580 PA,586 PY,589 PE,603 PL,607 PT,611 PR,623 KE,625 KG,628 GB,640 CF,647 DO,665 ZW,670 RO,675 RW,676 RU,687 SV,728 SN,731 SC
735 SL,737 RS,741 SG,744 SY,748 SO,750 LK,756 ZA,759 SD,764 SE,767 CH,770 SR,772 TJ,776 TH,780 TZ,783 DJ,788 TD,791 CZ,800 TG
815 TT,820 TN,824 TM,827 TR,831 UA,833 UG,845 UY,847 UZ,850 VE,858 VN,870 FJ,890 ZM`

const colombia = `023 DE,053 SA,059 DZ,063 AR,069 AU,072 AT,087 BE,097 BO,105 BR,149 CA,169 CO,190 KR,196 CR,199 CU,211 CL,215 CN,218 TW
232 DK,239 EC,240 EG,242 SV,244 AE,245 ES,249 US,267 PH,271 FI,275 FR,301 GR,317 GT,345 HN,351 HK,355 HU,361 IN,365 ID,375 IE
383 IL,386 IT,391 JM,399 JP,455 MY,474 MA,493 MX,521 NI,538 NO,548 NZ,573 NL,580 PA,586 PY,589 PE,603 PL,607 PT,611 PR,628 GB
644 CZ,647 DO,670 RO,676 RU,741 SG,756 ZA,764 SE,767 CH,776 TH,827 TR,830 UA,845 UY,850 VE,855 VN`

/** A number on its way has lost its zeros, so both ways of writing are there. */
const words = (list: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    list.split(/[,\n]/).flatMap((entry) => {
      const [code = "", country = ""] = entry.split(" ")
      return [code, code.replace(/^0+/, "")].map((one) => [one, country])
    })
  )

export const brazilian = words(brazil)
export const colombian = words(colombia)
