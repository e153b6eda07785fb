/** How requests name companies and people: what is accepted, whoever asks. */
import { Schema } from "effect"
import * as DomainName from "../value/DomainName.ts"

/** A domain, or a web address that has one. */
export const Domain = Schema.String.check(
  Schema.makeFilter((text) => DomainName.parse(text) !== null || "Expected a domain name such as acme.example")
)

/** A name of a company, or a part of a person's. */
export const Name = Schema.String.check(
  Schema.isMaxLength(300),
  Schema.makeFilter((text) => text.trim() !== "" || "Expected a name, got a blank text")
)
