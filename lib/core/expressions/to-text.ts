import { StepError } from "#lib/contract/step-error";

/**
 * A value as it reads inside a longer text: a string as it is, null as nothing, objects and arrays as JSON.
 * @throws StepError VALIDATION_ERROR when an object is nested too deeply or too large to be written
 */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new StepError("data_too_large", "A value is nested too deeply to be put into a text.", { cause });
  }
}
