/**
 * What log lines say of errors. The message of a defect may hold what was asked or what was answered (a parser quotes what
 * it could not read), so unless the operator wants it a line has the error's name and where it came from, and no message.
 */
import { Cause, Logger } from "effect"

/** The lines of a stack that name places. */
const places = ({ stack = "" }: Error): ReadonlyArray<string> =>
  stack.split("\n").filter((line) => /^\s+at /.test(line))

const isName = /^[A-Za-z_$][\w$]{0,80}$/

const named = (error: Error): Error => {
  const name = isName.test(error.name) ? error.name : "Error"
  const quiet = new Error(name)
  quiet.name = name
  quiet.stack = [name, ...places(error)].join("\n")
  return quiet
}

const quietCause = (cause: Cause.Cause<unknown>): Cause.Cause<unknown> => {
  if (cause.reasons.length === 0) return cause
  const [first, ...others] = Cause.prettyErrors(cause).map(named)
  if (first === undefined) return Cause.empty
  first.stack = [first.stack, ...others.map(({ stack }) => stack)].join("\n")
  return Cause.die(first)
}

const quiet = (part: unknown): unknown => {
  if (part instanceof Error) return { error: named(part).stack }
  return Cause.isCause(part) ? Cause.pretty(quietCause(part)) : part
}

/** The logger, which is told of errors without their messages. */
export const withoutMessages = <Output>(logger: Logger.Logger<unknown, Output>): Logger.Logger<unknown, Output> =>
  Logger.make((line) =>
    logger.log({
      ...line,
      message: Array.isArray(line.message) ? line.message.map(quiet) : quiet(line.message),
      cause: quietCause(line.cause)
    })
  )
