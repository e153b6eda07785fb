/** The common nicknames of English given names that are not their beginning. Each row is one name. */

const rows = [
  "robert rob robby robbie bob bobby bert",
  "william will billy bill liam",
  "richard rich rick ricky dick",
  "james jim jimmy jamie",
  "john jack johnny jon",
  "jonathan jon johnny",
  "charles charlie chuck",
  "edward ed eddie ted ned",
  "theodore ted teddy",
  "henry harry hank",
  "margaret maggie meg peggy greta rita",
  "elizabeth elisabeth liz lizzie beth betty betsy lisa libby",
  "katherine catherine kathryn kate katie kathy cathy kitty kit",
  "anthony tony",
  "michael mike mickey mick",
  "patrick paddy",
  "patricia trish tricia patty",
  "andrew drew andy",
  "alexander alexandra sandy sasha lex xander",
  "lawrence laurence larry",
  "francis frank",
  "francesca frances fran",
  "joseph joe joey",
  "thomas tom tommy",
  "stephen steven steve",
  "nicholas nicolas nick nicky",
  "christopher chris kit topher",
  "christina christine tina chrissy",
  "susan susanna suzanne sue suzy",
  "deborah debra debbie",
  "barbara barb babs",
  "dorothy dot dottie",
  "abigail gail abby",
  "rebecca becky becca",
  "victoria vicky tori",
  "virginia ginny",
  "jennifer jenny jen",
  "jacqueline jackie",
  "eugene gene",
  "albert al bert",
  "gerald gerard gerry jerry",
  "jeremy jeremiah jerry",
  "geoffrey jeffrey geoff jeff",
  "leonard len lenny",
  "ronald ron ronnie",
  "donald don donnie",
  "zachary zack zach",
  "matthew matt",
  "peter pete",
  "mary molly polly",
  "eleanor nora nell ellie",
  "ann anne anna annie nancy",
  "kenneth ken kenny",
  "walter walt wally",
  "terence teresa theresa terry"
]

const rowsOf = new Map<string, ReadonlyArray<number>>()
for (const [index, row] of rows.entries()) {
  for (const name of row.split(" ")) rowsOf.set(name, [...(rowsOf.get(name) ?? []), index])
}

/** Whether both, in lower case, may be one name. */
export const same = (a: string, b: string): boolean => {
  const others = rowsOf.get(b)
  return others !== undefined && (rowsOf.get(a) ?? []).some((row) => others.includes(row))
}
