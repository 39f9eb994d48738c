import { z } from "zod";

/** A time on the wire: ISO 8601 in UTC with milliseconds. */
export const momentSchema = z.iso.datetime({ precision: 3 }).describe("UTC, with milliseconds.");
export const jsonObjectSchema = z.record(z.string(), z.unknown());
export const countSchema = z.int().nonnegative();
