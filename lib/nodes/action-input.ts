import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { PreparedNode } from "#lib/engine/plan";
import { deriveInputSchema } from "#lib/graph/derive-schemas";
import { applyDefaults } from "#lib/input/apply-defaults";
import { parseData } from "#lib/nodes/parse-data";

/** The caller's input, defaults filled in. It was validated when the run was created. */
export function prepareActionInput(node: GraphNode): PreparedNode<JsonObject> {
  parseData("action_input", node);
  const schema = deriveInputSchema({ nodes: [node], edges: [] });
  return {
    hasSideEffects: false,
    resolveInput: (_scope, runInput) => runInput,
    execute: (input) => applyDefaults(schema, input),
  };
}
