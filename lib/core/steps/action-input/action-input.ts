import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedNode } from "#lib/core/engine/plan";
import { applyDefaults } from "#lib/core/input/apply-defaults";
import { actionInputData } from "#lib/core/steps/action-input/action-input-data";
import { deriveInputSchema } from "#lib/core/steps/derive-schemas";
import { parseData } from "#lib/core/steps/parse-data";

/** Returns the caller's input with defaults filled in. The input was validated when the run was created. */
export function prepareActionInput(node: GraphNode): PreparedNode<JsonObject> {
  parseData(actionInputData, node);
  const schema = deriveInputSchema({ nodes: [node], edges: [] });
  return {
    resolveInput: (_scope, runInput) => runInput,
    execute: (input) => applyDefaults(schema, input),
  };
}
