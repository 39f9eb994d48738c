import { z } from "zod";
import { named } from "#lib/contract/wire/wire-values";

export const fieldErrorSchema = named(
  "FieldError",
  z
    .object({
      field: z.string().describe("Dotted path, for people."),
      pointer: z.string().describe("JSON Pointer (RFC 6901) into the validated value."),
      code: z.string(),
      message: z.string(),
    })
    .describe("An invalid field."),
);
