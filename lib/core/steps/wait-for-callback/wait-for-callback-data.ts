import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { stepSettings } from "#lib/core/steps/step-settings";
import { readNumber } from "#lib/support/numbers/read-number";

const { callbackSecondsMin: MIN, callbackSecondsMax: MAX } = LIMITS;
/** Without a separator, because people copy it into a definition. */
export const EXPIRES_RANGE = `a number from ${MIN} to ${MAX}`;
const EXPIRES_MESSAGE = `must be ${EXPIRES_RANGE}, or a template that produces one`;

const expiresSeconds = z.unknown().refine((value) => {
  return (typeof value === "string" && value.includes("{{")) || expiryIn(value) !== null;
}, EXPIRES_MESSAGE);

/** Its size is limited, because a schema is compiled for each delivery. */
const schema = z
  .record(z.string(), z.unknown(), "must be a JSON Schema")
  .refine(
    (value) => JSON.stringify(value).length <= LIMITS.callbackSchemaBytes,
    `must be at most ${LIMITS.callbackSchemaBytes} characters of JSON`,
  );

/** Returns the seconds that a value is, or that its text means; null for anything else. */
export function expiryIn(value: unknown): number | null {
  const seconds = typeof value === "string" ? readNumber(value) : value;
  return typeof seconds === "number" && seconds >= MIN && seconds <= MAX ? seconds : null;
}

export const waitForCallbackData = z.object({
  ...stepSettings,
  schema: schema.nullish(),
  expires_seconds: expiresSeconds,
});
