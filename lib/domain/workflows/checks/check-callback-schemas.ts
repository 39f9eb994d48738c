import { LIMITS } from "#lib/contract/limits";
import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { whyUnusable } from "#lib/core/input/find-mismatches";
import { isJsonObject } from "#lib/support/json";

/**
 * Finds schemas of callbacks that are not usable JSON Schemas. Schemas beyond the limit are not compiled, because that
 * blocks the process.
 */
export function checkCallbackSchemas({ nodes }: Definition): GraphProblem[] {
  let left: number = LIMITS.callbackSchemaBytes;
  return nodes.flatMap((node) => {
    const { schema } = node.data;
    if (node.type !== "wait_for_callback" || !isJsonObject(schema)) return [];
    left -= JSON.stringify(schema).length;
    const reason = left < 0 ? null : whyUnusable(schema);
    return reason === null ? [] : [nodeProblem(node, "INVALID_SCHEMA", `schema cannot be used: ${reason}`, "schema")];
  });
}
