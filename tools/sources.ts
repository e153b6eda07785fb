/** The files that the repository's own checks read. */
import { globSync, readFileSync } from "node:fs"

export interface SourceFile {
  /** Relative to the repository's root, with `/`. */
  readonly path: string
  readonly text: string
}

export const read = (path: string): SourceFile => ({ path, text: readFileSync(path, "utf8") })

/** The TypeScript sources of every package, tests and all. */
export const ofPackages = (): ReadonlyArray<SourceFile> =>
  globSync(["packages/*/src/**/*.ts", "packages/providers/*/*/src/**/*.ts"])
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map(read)

/** Prints what is wrong, one a line, and fails the process if there is anything. */
export const report = (subject: string, problems: ReadonlyArray<string>): void => {
  for (const problem of problems) console.error(problem)
  console.log(`${subject}: ${problems.length === 0 ? "nothing to complain about" : `${problems.length} problem(s)`}`)
  if (problems.length > 0) process.exitCode = 1
}
