import type { z } from "zod";
import type { Caller, RequestContext } from "#lib/api/operations/define/caller";
import type { FieldError } from "#lib/contract/api-error";
import { toFieldErrors } from "#lib/contract/schemas/field-errors";
import { listSuggestions } from "#lib/support/list-suggestions";
import { listUnknownFields } from "#lib/support/list-unknown-keys";

/** A person or a model corrects a few fields at a time, and a hostile value could have a million. */
const UNKNOWN_MAX = 20;
const NAME_CHARACTERS = 200;

/**
 * Lists what is wrong with an input, unknown fields first: a misspelled field explains the required one that is missing
 * because of it. Empty if it can be used.
 * @param parsed the input as its schema read it
 */
export function findFieldErrors(
  schema: z.ZodObject,
  raw: unknown,
  parsed: z.ZodSafeParseResult<unknown>,
  refusesUnknown: boolean,
): FieldError[] {
  const unknown = refusesUnknown ? findUnknownFields(schema, raw) : [];
  const wrong = parsed.success ? [] : toFieldErrors(parsed.error);
  const others = wrong.filter(({ code }) => unknown.length === 0 || code !== "unrecognized_keys");
  return [...unknown, ...others];
}

/** The runtime API ignores fields that it does not know; MCP and the web application refuse them. */
export function refusesUnknownFields({ kind }: Caller, context: RequestContext): boolean {
  return kind === "user" || context.refusesUnknownFields === true;
}

/** Names every field that a schema does not know, at any depth, with the nearest ones that it does. */
function findUnknownFields(schema: z.ZodObject, value: unknown): FieldError[] {
  return listUnknownFields(schema, value)
    .slice(0, UNKNOWN_MAX)
    .map(({ path, known }) => ({
      field: path.join(".").slice(0, NAME_CHARACTERS),
      pointer: path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
      code: "unrecognized_keys",
      message: `is not a known field${listSuggestions(path.at(-1) ?? "", known, "the fields are").words}`,
    }));
}
