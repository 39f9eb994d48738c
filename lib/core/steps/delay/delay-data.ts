import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { isTimeZone } from "#lib/contract/workspace/time-zone";
import { readMoment } from "#lib/core/steps/delay/read-moment";
import { stepSettings } from "#lib/core/steps/step-settings";
import { readNumber } from "#lib/support/numbers/read-number";

const { delaySeconds: SECONDS_MAX } = LIMITS;
/** Without a separator, because people copy it into a definition. */
export const SECONDS_RANGE = `a number from 0 to ${SECONDS_MAX}`;
const SECONDS_MESSAGE = `must be ${SECONDS_RANGE}, or a template that produces one`;
export const MOMENT_FORMAT = "a time in ISO 8601, such as 2027-03-01T09:00:00Z or 2027-03-01T09:00";
const UNTIL_MESSAGE = `must be ${MOMENT_FORMAT}, or a template that produces one`;

const seconds = z.unknown().refine((value) => {
  if (value === undefined || value === null) return true;
  return (typeof value === "string" && value.includes("{{")) || secondsIn(value) !== null;
}, SECONDS_MESSAGE);

const until = z
  .string(UNTIL_MESSAGE)
  .max(2_000, "must be at most 2000 characters long")
  .refine((text) => text.includes("{{") || readMoment(text, "UTC") !== null, UNTIL_MESSAGE);

const timezone = z
  .string()
  .max(64, "must be at most 64 characters long")
  .refine(isTimeZone, "must be an IANA time zone, such as Europe/Berlin");

/** Returns the seconds that a value is, or that its text means; null for anything else. */
export function secondsIn(value: unknown): number | null {
  const seconds = typeof value === "string" ? readNumber(value) : value;
  return typeof seconds === "number" && seconds >= 0 && seconds <= SECONDS_MAX ? seconds : null;
}

export const delayData = z
  .object({ ...stepSettings, seconds: seconds.optional(), until: until.nullish(), timezone: timezone.nullish() })
  .refine((data) => data.seconds != null || data.until != null, { path: ["seconds"], error: SECONDS_MESSAGE })
  .refine((data) => data.seconds == null || data.until == null, {
    path: ["until"],
    error: "cannot be combined with seconds: remove one of them",
  });
