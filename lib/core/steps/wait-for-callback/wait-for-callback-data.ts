import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { stepSettings } from "#lib/core/steps/step-settings";

const { callbackSecondsMin: MIN, callbackSecondsMax: MAX } = LIMITS;
/** Without a separator, because people copy it into a definition. */
export const EXPIRES_RANGE = `a number from ${MIN} to ${MAX}`;
const EXPIRES_MESSAGE = `must be ${EXPIRES_RANGE}, or a template that produces one`;

const expiresSeconds = z.unknown().refine((value) => {
  if (typeof value === "string") return value.includes("{{") || isExpiry(value.trim() === "" ? 0 : Number(value));
  return typeof value === "number" && isExpiry(value);
}, EXPIRES_MESSAGE);

/** Its size is limited, because a schema is compiled for each delivery. */
const schema = z
  .record(z.string(), z.unknown(), "must be a JSON Schema")
  .refine(
    (value) => JSON.stringify(value).length <= LIMITS.callbackSchemaBytes,
    `must be at most ${LIMITS.callbackSchemaBytes} characters of JSON`,
  );

export function isExpiry(value: number): boolean {
  return value >= MIN && value <= MAX;
}

export const waitForCallbackData = z.object({
  ...stepSettings,
  schema: schema.nullish(),
  expires_seconds: expiresSeconds,
});
