import { StepError } from "#lib/contract/run/step-error";

/**
 * Converts a value to its form within a longer text: a string unchanged, null as an empty string, objects and arrays as
 * JSON.
 * @throws StepError VALIDATION_ERROR if an object is nested too deeply or too large to be serialized
 */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new StepError("data_too_large", "A value is nested too deeply to be converted to text.", { cause });
  }
}
