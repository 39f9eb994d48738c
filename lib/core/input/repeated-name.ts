import { ApiError } from "#lib/contract/api-error";
import { pointerStep } from "#lib/core/input/field-error";
import type { PathInJson } from "#lib/support/exact-json";

const NAME_CHARACTERS = 100;

/** The refusal of a JSON object that has a name twice. */
export function repeatedName(path: PathInJson): ApiError {
  // The name itself can be what no text may contain.
  const names = path.map((part) =>
    String(part).replaceAll("\u0000", "\ufffd").toWellFormed().slice(0, NAME_CHARACTERS),
  );
  const field = names.join(".");
  const message = "is there twice in the same object; send it once";
  const error = { field, pointer: names.map(pointerStep).join(""), code: "duplicate_name", message };
  return new ApiError("BAD_REQUEST", `${field}: ${message}`, { details: [error] });
}
