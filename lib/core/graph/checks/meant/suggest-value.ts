import type { z } from "zod";
import { findValueAlias } from "#lib/core/graph/checks/meant/known-aliases";
import { certainName } from "#lib/support/nearest-names";

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const NUMERIC: ReadonlySet<string> = new Set(["int", "number"]);

/** Returns the value that an invalid one certainly means: another spelling of a choice, or a number as text; else null. */
export function suggestValue(issue: z.core.$ZodIssue, given: unknown): string | number | boolean | null {
  if (typeof given !== "string") return null;
  if (issue.code === "invalid_value") {
    const known = issue.values.filter((value) => typeof value === "string");
    return findValueAlias(given, known) ?? certainName(given, known);
  }
  if (issue.code !== "invalid_type") return null;
  if (issue.expected === "boolean") return given === "true" || given === "false" ? given === "true" : null;
  return NUMERIC.has(issue.expected) && NUMBER.test(given) ? Number(given) : null;
}
