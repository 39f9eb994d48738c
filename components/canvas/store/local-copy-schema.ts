import { z } from "zod";
import { canvasNotesSchema } from "#lib/contract/canvas-note";
import { ORIENTATIONS } from "#lib/contract/schemas/canvas-choices";
import { definitionSchema } from "#lib/core/steps/definition-schema";

/** What a browser stored, perhaps by an earlier version of the page. */
export const localCopySchema = z.object({
  revision: z.number(),
  name: z.string(),
  definition: definitionSchema,
  notes: canvasNotesSchema.default([]),
  orientation: z.enum(ORIENTATIONS).default("vertical"),
});
