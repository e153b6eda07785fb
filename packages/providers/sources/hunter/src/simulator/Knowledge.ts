/**
 * Which part of the synthetic population is Hunter's, and its words for what a check of an address found.
 */
import type { Population } from "@lading/testing"

/** Decides whom Hunter knows and what it lacks; another number is another vendor. */
export const HUNTER = 3

export const statuses: Readonly<Record<Population.PersonView["work_email_status"], string>> = {
  valid: "valid",
  invalid: "invalid",
  catch_all: "accept_all",
  unknown: "unknown"
}
