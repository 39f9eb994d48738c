import { z } from "zod";
import { canvasNotesSchema } from "#lib/contract/canvas-note";
import { definitionSchema } from "#lib/core/steps/definition-schema";

export const WORKFLOW_FORMAT = "workflow-definition";
export const WORKFLOW_FORMAT_VERSION = 1;

/** What an import reads. Without the marker it is taken as is: `{name, definition}` is enough. */
export const workflowDocumentSchema = z.object({
  format: z.literal(WORKFLOW_FORMAT).optional(),
  format_version: z.literal(WORKFLOW_FORMAT_VERSION).optional(),
  name: z.string().trim().min(1).max(200),
  description: z.string().trim().max(2_000).nullish(),
  definition: definitionSchema,
  /** The connections that its steps name, so that an import finds its own by connector and name. No credentials. */
  connections: z
    .array(z.object({ id: z.string().max(100), connector: z.string().max(100), name: z.string().max(200) }))
    .max(200)
    .optional(),
  /** The steps whose secret was left out. */
  secrets: z.array(z.string().max(100)).max(200).optional(),
  /** What people wrote next to the steps. */
  notes: canvasNotesSchema.optional(),
});
/** A workflow outside the instance: what an export writes and an import reads. */
export type WorkflowDocument = z.output<typeof workflowDocumentSchema>;

export const importWorkflowInput = z.object({ document: workflowDocumentSchema });
