/**
 * A type assertion (`as T`) tells the compiler what it cannot see, so the reason stands beside it:
 * in a comment on its line or in the three lines above. `as const` asserts nothing.
 */
import { parseSync, Visitor } from "oxc-parser"
import { ofPackages, report, type SourceFile } from "./sources.ts"

const reach = 3

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

const silent = ({ path, text }: SourceFile): ReadonlyArray<string> => {
  const { comments, program } = parseSync(path, text)
  const explained = new Set(comments.map((comment) => lineOf(text, comment.end)))
  const problems: Array<string> = []
  const visitor = new Visitor({
    TSAsExpression: ({ end, start, typeAnnotation }) => {
      if (text.slice(typeAnnotation.start, typeAnnotation.end) === "const") return
      const [first, last] = [lineOf(text, start), lineOf(text, end)]
      for (let line = first - reach; line <= last; line++) if (explained.has(line)) return
      problems.push(`${path}:${last} casts without a reason beside it: ${text.slice(start, end).slice(-60)}`)
    }
  })
  visitor.visit(program)
  return problems
}

const isTest = ({ path }: SourceFile) => /\.test\.ts$|\/fixtures\/|^packages\/testing\/src\/suites\//.test(path)

report(
  "Casts",
  ofPackages()
    .filter((file) => !isTest(file))
    .flatMap(silent)
)
