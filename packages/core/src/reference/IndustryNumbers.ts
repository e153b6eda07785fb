/**
 * What the numbers of two other classifications come to in ISIC: NAICS, by its first digits, and the major groups of the
 * United States' SIC of 1987. Sources that give a number give one of these.
 *
 * Gotcha: they are cut differently; each goes to the section or division that most of it is in. What a number of either
 * means is only known where it is said of which it is: 35 is heat supply in ISIC and machinery in SIC.
 */

/** NAICS by two digits, in manufacturing by three. */
export const naics =
  "11 A,21 B,22 D,23 F,42 46,44 47,45 47,48 H,49 H,51 J,52 K,53 L,54 M,55 70,56 N,61 P,62 Q,71 R,72 I,81 S,92 O," +
  "31 C,32 C,33 C,311 10,312 11,313 13,314 13,315 14,316 15,321 16,322 17,323 18,324 19,325 20,326 22,327 23,331 24,332 25," +
  "333 28,334 26,335 27,336 29,337 31,339 32,441 45,481 51,482 49,483 50,484 49,485 49,486 49,488 52,491 53,492 53,493 52," +
  "511 58,512 59,513 58,515 60,516 60,517 61,518 63,519 63,524 65,531 68,532 77,621 86,622 86,623 87,624 88,711 90,712 91," +
  "713 93,721 55,722 56,111 01,112 01,113 02,114 03,211 06,212 B,213 09,236 41,237 42,238 43,5415 62,5411 69,5417 72"

/** SIC by two digits. */
export const sic =
  "01 01,02 01,07 01,08 02,09 03,10 07,12 05,13 06,14 08,15 41,16 42,17 43,20 10,21 12,22 13,23 14,24 16,25 31,26 17,27 58," +
  "28 20,29 19,30 22,31 15,32 23,33 24,34 25,35 28,36 27,37 30,38 26,39 32,40 49,41 49,42 49,43 53,44 50,45 51,46 49,47 52," +
  "48 61,49 D,50 46,51 46,52 47,53 47,54 47,55 45,56 47,57 47,58 56,59 47,60 64,61 64,62 66,63 65,64 66,65 68,67 64,70 55," +
  "72 96,73 N,75 45,76 S,78 59,79 R,80 86,81 69,82 85,83 88,84 91,86 94,87 M,88 97,91 84,92 84,93 84,94 84,95 84,96 84,97 84"
