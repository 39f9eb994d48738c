import { z } from "zod";
import { canvasNotesSchema } from "#lib/contract/canvas-note";
import type { WorkflowDocument } from "#lib/contract/workflow";
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
  connections: z
    .array(z.object({ id: z.string().max(100), connector: z.string().max(100), name: z.string().max(200) }))
    .max(200)
    .optional(),
  secrets: z.array(z.string().max(100)).max(200).optional(),
  notes: canvasNotesSchema.optional(),
}) satisfies z.ZodType<WorkflowDocument>;

export const importWorkflowInput = z.object({ document: workflowDocumentSchema });
