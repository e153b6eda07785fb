import { assert, describe, it } from "@effect/vitest"
import * as Handles from "./Handles.ts"

describe("Handles", () => {
  it("keeps the kind that a LinkedIn handle names", () => {
    assert.strictEqual(
      Handles.linkedinCompany({ handle: "company/nordvik" }),
      "https://www.linkedin.com/company/nordvik"
    )
    assert.strictEqual(
      Handles.linkedinCompany({ handle: "showcase/nordvik" }),
      "https://www.linkedin.com/showcase/nordvik"
    )
    assert.strictEqual(
      Handles.linkedinPerson({ handle: "in/mara-ellison" }),
      "https://www.linkedin.com/in/mara-ellison"
    )
  })

  it("adds the kind that a LinkedIn handle leaves out", () => {
    assert.strictEqual(Handles.linkedinCompany({ handle: "nordvik" }), "https://www.linkedin.com/company/nordvik")
    assert.strictEqual(Handles.linkedinPerson({ handle: "mara-ellison" }), "https://www.linkedin.com/in/mara-ellison")
  })

  it("reads a Crunchbase handle with and without organization/", () => {
    const url = "https://www.crunchbase.com/organization/nordvik"
    assert.strictEqual(Handles.crunchbase({ handle: "organization/nordvik" }), url)
    assert.strictEqual(Handles.crunchbase({ handle: "nordvik" }), url)
  })

  it("takes off a leading @ or slash, and leaves an address as it is", () => {
    assert.strictEqual(Handles.twitter({ handle: "@nordvik" }), "https://twitter.com/nordvik")
    assert.strictEqual(Handles.facebook({ handle: "/nordvik" }), "https://www.facebook.com/nordvik")
    assert.strictEqual(
      Handles.linkedinPerson({ handle: "http://www.linkedin.com/in/mara" }),
      "http://www.linkedin.com/in/mara"
    )
  })

  it("says nothing where there is no handle", () => {
    for (const profile of [null, undefined, {}, { handle: null }, { handle: " " }]) {
      assert.isNull(Handles.instagram(profile))
    }
  })
})
