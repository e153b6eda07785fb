/** A day of the calendar as text: `YYYY-MM-DD`. */
import { DateTime, Option } from "effect"

/** Whether it is written so, and the month has that day. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  Option.match(DateTime.make(`${text}T00:00:00Z`), {
    onNone: () => false,
    // A day that the month does not have is another day by now.
    onSome: (day) => DateTime.formatIso(day).startsWith(text)
  })
