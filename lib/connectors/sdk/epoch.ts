import { z } from "zod";
import { numeric } from "#lib/support/numbers/numeric";

/** In seconds the year 5138, in milliseconds the year 1973: a number of the other unit is on the other side of it. */
const BORDER = 100_000_000_000;

/** A moment in seconds since 1970. Milliseconds would be a moment in fifty thousand years, which services accept. */
export const epochSeconds = numeric(
  z.number().int().min(0).max(BORDER, "must be in epoch seconds, but looks like milliseconds"),
);

/** A moment in milliseconds since 1970. Seconds would be a day of January 1970. */
export const epochMilliseconds = numeric(
  z
    .number()
    .int()
    .refine((ms) => ms === 0 || Math.abs(ms) >= BORDER, "must be in epoch milliseconds, but looks like seconds"),
);
