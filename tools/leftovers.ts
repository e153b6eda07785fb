/** Finds what a machine leaves behind in files: addresses in a lockfile, paths of its user. Each as `line: text`. */

const matches = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${index + 1}: ${line.trim().slice(0, 120)}`] : []))

/** Registry addresses and tarball URLs of a lockfile. */
export const addresses = (lockfile: string): ReadonlyArray<string> => matches(lockfile, /https?:\/\/|\btarball:/)

/** Addresses of packages in a lockfile of npm, which has those of authors too. */
export const resolutions = (lockfile: string): ReadonlyArray<string> => matches(lockfile, /"resolved":/)

/** Absolute paths in a user's or a build machine's folder. The middle of a URL or of a longer path is none. */
export const workplaces = (text: string): ReadonlyArray<string> =>
  matches(text, /(?<![\w.\-:/}@*])\/(?:home|root|work)\//)
