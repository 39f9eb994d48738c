import type { z } from "zod";
import type { FieldError } from "#lib/contract/api-error";

/** Converts zod issues to the contract's field errors, with a dotted name and an RFC 6901 pointer. */
export function toFieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.map((issue) => ({
    field: issue.path.join(".") || "(body)",
    pointer: issue.path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    code: issue.code,
    message: issue.message,
  }));
}
