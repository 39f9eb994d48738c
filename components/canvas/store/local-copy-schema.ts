import { z } from "zod";
import { ORIENTATIONS } from "#lib/contract/workflow/canvas-choices";
import { canvasNotesSchema } from "#lib/contract/workflow/canvas-note";
import { definitionSchema } from "#lib/core/steps/definition-schema";

/** What a browser stored, perhaps by an earlier version of the page. */
export const localCopySchema = z.object({
  revision: z.number(),
  name: z.string(),
  definition: definitionSchema,
  notes: canvasNotesSchema.default([]),
  orientation: z.enum(ORIENTATIONS).default("vertical"),
});
