import type { z } from "zod";
import type { keyActivitySchema, keyUsageSchema } from "#lib/contract/key/key-schema";
/** The number of hours for which a key's activity is shown. */
export const KEY_USAGE_HOURS = 24;
/** The number of days for which a key's refused requests and calls are kept and shown. */
export const KEY_USAGE_DAYS = 7;

/** Requests of a key by hour, oldest first; the last hour is the current one. */
export type KeyActivity = z.output<typeof keyActivitySchema>;

/** How a key was used in the last seven days. */
export type KeyUsageObject = z.output<typeof keyUsageSchema>;
