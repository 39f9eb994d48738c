import { ApiError } from "#lib/contract/api-error";
import type { Definition } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { formatBytes } from "#lib/support/format/format-number";
import { leastJsonBytes } from "#lib/support/json";

/**
 * Refuses operations that together would read too much of the definition, before the first one is applied: renaming a
 * node reads every text of the workflow, and changing a node copies its data.
 * @throws ApiError BAD_REQUEST
 */
export function assertEditWork(definition: Definition, operations: readonly GraphOperation[]): void {
  const max = LIMITS.graphEditBytes;
  const sizes = new Map(definition.nodes.map((node) => [node.id, leastJsonBytes(node.data, max)]));
  const whole = leastJsonBytes(definition, max) + leastJsonBytes(operations, max);
  let bytes = 0;
  for (const operation of operations) {
    if (operation.op === "rename_node") bytes += whole;
    // A node that an earlier operation added or renamed can have as much data as the whole request.
    if (operation.op === "update_node") bytes += sizes.get(operation.node_id) ?? whole;
    if (bytes > max) throw tooMuch();
  }
}

function tooMuch(): ApiError {
  const limit = formatBytes(LIMITS.graphEditBytes);
  const message = `These operations would read more than ${limit} of the workflow. Send fewer rename_node and update_node operations at once, or the changed definition. Nothing was changed.`;
  return new ApiError("BAD_REQUEST", message);
}
