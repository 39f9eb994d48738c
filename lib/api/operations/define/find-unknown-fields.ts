import type { z } from "zod";
import type { FieldError } from "#lib/contract/error/api-error";
import { listSuggestions } from "#lib/support/list-suggestions";
import { listUnknownFields } from "#lib/support/list-unknown-keys";

/** A person or a model corrects a few fields at a time, and a hostile value could have a million. */
const UNKNOWN_MAX = 20;
const NAME_CHARACTERS = 200;

/** Names every field that a schema does not know, at any depth, with the nearest ones that it does. */
export function findUnknownFields(schema: z.ZodObject, value: unknown): FieldError[] {
  return listUnknownFields(schema, value)
    .slice(0, UNKNOWN_MAX)
    .map(({ path, known }) => ({
      field: path.join(".").slice(0, NAME_CHARACTERS),
      pointer: path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
      code: "unrecognized_keys",
      message: `is not a known field${listSuggestions(path.at(-1) ?? "", known, "the fields are").words}`,
    }));
}
