/** What the pages point at is there: linked pages, their headings, every file that they
 * name by its path, and every variable. */
import { existsSync, globSync } from "node:fs"
import { dirname, join, normalize } from "node:path/posix"
import { assert, describe, it } from "vitest"
import { all as variables } from "../packages/http/src/server/Variables.ts"
import * as Markdown from "./fixtures/Markdown.ts"

const pages = ["README.md", ...globSync("docs/*.md", { cwd: Markdown.root }).map((path) => path.replaceAll("\\", "/"))]

/** As GitHub makes an anchor of a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const anchors = (path: string): ReadonlyArray<string> =>
  Array.from(Markdown.prose(path).matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => anchor(heading))

const exists = (path: string): boolean => existsSync(join(Markdown.root.replaceAll("\\", "/"), path))

describe.each(pages)("%s", (page) => {
  const text = Markdown.prose(page)

  it("links to what is there", () => {
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [path = "", hash] = target.split("#")
      const file = path === "" ? page : normalize(join(dirname(page), path))
      assert.isTrue(exists(file), `${page} links to ${target}`)
      if (hash !== undefined) assert.include(anchors(file), hash, `${page} links to ${target}`)
    }
  })

  it("names files that are there", () => {
    for (const [, path = ""] of text.matchAll(/`((?:packages|tools|docs|bench)\/[\w./-]+)`/g)) {
      if (/\/acme\b/.test(path)) continue
      assert.isTrue(exists(path), `${page} names ${path}`)
    }
  })

  it("names variables that there are", () => {
    const known = variables.map(({ name }) => name)
    // `LADING_PROVIDER_A_…` stands for several, and tests have variables of their own.
    for (const [name] of Markdown.read(page).matchAll(/\bLADING_(?!TEST_)[A-Z_]*[A-Z](?![\w<*…])/g)) {
      assert.include(known, name, page)
    }
  })
})
