/**
 * How sure People Data Labs has to be that its record is the one that was asked about.
 *
 * Gotchas: `likelihood` (1 to 10, logarithmic) is about the identity, never about whether a mail address works: it is
 * not the confidence of a fact. Below the minimum the vendor answers 404 and charges nothing; its default of 2 would sell
 * records of namesakes.
 */

/** Sent as `min_likelihood` with every question. */
export const minimum = 6
