import { z } from "zod";
import { namedProperty, uniqueNames } from "#lib/core/input/property-data";

const outputProperty = z.object({ ...namedProperty, required: z.boolean().default(false), value: z.unknown() });
export type OutputProperty = z.output<typeof outputProperty>;

/** decisions, The graph document: the properties of an action's output; each value is a template. */
export const outputPropertiesSchema = z
  .array(outputProperty)
  .max(200, "must contain at most 200 properties")
  .superRefine(uniqueNames);
