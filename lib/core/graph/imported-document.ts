import { z } from "zod";
import { drawnInput } from "#lib/contract/workflow/workflow-inputs";
import { definitionSchema } from "#lib/core/steps/definition-schema";

export const WORKFLOW_FORMAT = "workflow-definition";
export const WORKFLOW_FORMAT_VERSION = 1;

/** The document that an import reads. The format marker is optional: `{name, definition}` is enough. */
export const workflowDocumentSchema = z.object({
  format: z.literal(WORKFLOW_FORMAT).optional(),
  format_version: z.literal(WORKFLOW_FORMAT_VERSION).optional(),
  name: z.string().trim().min(1).max(200),
  description: z.string().trim().max(2_000).nullish(),
  definition: definitionSchema,
  /**
   * The connections that its steps use, without credentials. An import finds its own connections by connector and name.
   */
  connections: z
    .array(z.object({ id: z.string().max(100), connector: z.string().max(100), name: z.string().max(200) }))
    .max(200)
    .optional(),
  /** The ids of steps whose secret was left out. */
  secrets: z.array(z.string().max(100)).max(200).optional(),
  ...drawnInput.shape,
});
/** A workflow outside the instance, as an export writes it and an import reads it. */
export type WorkflowDocument = z.output<typeof workflowDocumentSchema>;

export const importWorkflowInput = z.object({ document: workflowDocumentSchema });
