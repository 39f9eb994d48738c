import { z } from "zod";
import { readNumber } from "#lib/support/numbers/read-number";

type Numeric<Schema extends z.ZodNumber> = z.ZodPreprocess<Schema, number | string>;

/**
 * Returns the schema of a number that may also be written as a text, as in a query, in a flag of a command, and by a
 * template. `z.coerce` would read null, "" and [] as 0, true as 1, and "0x10" as 16. A default is a `prefault`, because a
 * JSON Schema shows no default behind a conversion.
 */
export function numeric<Schema extends z.ZodNumber>(schema: Schema): Numeric<Schema> {
  return z.preprocess((value) => (typeof value === "string" ? (readNumber(value) ?? value) : value), schema);
}
