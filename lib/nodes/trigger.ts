import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { PreparedNode } from "#lib/engine/plan";
import { parseData } from "#lib/nodes/parse-data";

/** What started the run, as `{{trigger.output...}}` names it (contract, Node types). The run's input is that output. */
export function prepareTrigger(node: GraphNode): PreparedNode<JsonObject> {
  parseData("trigger", node);
  return {
    hasSideEffects: false,
    resolveInput: (_scope, runInput) => runInput,
    execute: (input) => ({ output: input }),
  };
}
