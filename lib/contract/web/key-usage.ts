import type { z } from "zod";
import type { keyActivitySchema, keyUsageSchema } from "#lib/contract/web/key-schema";
/** Hours a key's use is shown for. */
export const KEY_USAGE_HOURS = 24;
/** Days a key's refusals and calls are kept and shown. */
export const KEY_USAGE_DAYS = 7;

/** Requests of a key by the hour, the oldest first; the last is the present one. */
export type KeyActivity = z.output<typeof keyActivitySchema>;

/** How a key was used in the last seven days. */
export type KeyUsageObject = z.output<typeof keyUsageSchema>;
