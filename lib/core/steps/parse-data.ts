import type { z } from "zod";
import { StepError } from "#lib/contract/run/step-error";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { parseGiven } from "#lib/support/leave-out-nulls";

/**
 * Parses the node's data with the schema of its kind and fills in defaults. A published version has already passed the
 * same schema; the draft of a test run may not have.
 * @throws StepError VALIDATION_ERROR naming the node and the field
 */
export function parseData<Data extends z.ZodType>(schema: Data, node: GraphNode): z.output<Data> {
  const parsed = parseGiven(schema, node.data);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new StepError("VALIDATION_ERROR", `${[node.id, ...(issue?.path ?? [])].join(".")}: ${issue?.message}`);
}
