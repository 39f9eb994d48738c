import { z } from "zod";
import { definitionSchema } from "#lib/contract/graph";
import type { ShownVersion } from "#lib/workflows/get-definition";
import { getWorkflow } from "#lib/workflows/get-workflow";

const FORMAT = "workflow-definition";
const FORMAT_VERSION = 1;

/** A workflow outside the instance: what an export writes and an import reads. Without the marker it is taken as is. */
export const workflowDocumentSchema = z.object({
  format: z.literal(FORMAT).optional(),
  format_version: z.literal(FORMAT_VERSION).optional(),
  name: z.string().trim().min(1).max(200),
  description: z.string().trim().max(2_000).nullish(),
  definition: definitionSchema,
});
export type WorkflowDocument = z.output<typeof workflowDocumentSchema>;

/** A workflow's draft, or one of its versions, as a document. @throws ApiError NOT_FOUND */
export async function exportWorkflow(
  workspaceId: string,
  workflowId: string,
  version: ShownVersion = "draft",
): Promise<WorkflowDocument> {
  const { name, description, definition } = await getWorkflow(workspaceId, workflowId, version);
  return { format: FORMAT, format_version: FORMAT_VERSION, name, description, definition };
}
