import { assert, describe, it } from "@effect/vitest"
import { addresses, resolutions, workplaces } from "./leftovers.ts"

describe("leftovers of a machine", () => {
  it("finds registries and tarballs in a lockfile, and leaves integrity hashes alone", () => {
    assert.lengthOf(addresses("resolution: {integrity: sha512-abc}\n"), 0)
    assert.lengthOf(addresses("resolution: {tarball: https://registry.example/a.tgz}\n"), 1)
    assert.lengthOf(addresses("a: 1\nregistry: http://registry.example/\n"), 1)
  })

  it("finds addresses of packages in a lockfile of npm, and leaves those of people alone", () => {
    assert.lengthOf(resolutions('"resolved": "https://registry.example/a.tgz"\n"integrity": "sha512-abc"\n'), 1)
    assert.lengthOf(resolutions('"funding": { "url": "https://people.example/author" }\n'), 0)
  })

  it("finds absolute paths of a user's folder, and leaves addresses and relative paths alone", () => {
    for (const folder of ["home", "root", "work"]) {
      assert.lengthOf(workplaces(`const data = "/${folder}/me/data"`), 1)
      assert.lengthOf(workplaces(`see https://vendor.example/${folder}/page and ./${folder}/file`), 0)
    }
  })
})
