/** Browsers take an answer for what it says it is, and tell nobody where they found it: on every answer. */
export const always = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" }
