import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { PreparedNode } from "#lib/core/engine/plan";
import { parseData } from "#lib/core/steps/parse-data";
import { triggerData } from "#lib/core/steps/trigger/trigger-data";

/**
 * Provides the event that started the run (decisions, The graph document). The run's input is the node's output:
 * `{output}`, as expressions name it.
 */
export function prepareTrigger(node: GraphNode): PreparedNode<JsonObject> {
  parseData(triggerData, node);
  return {
    resolveInput: (_scope, runInput) => runInput,
    execute: (input) => input,
  };
}
