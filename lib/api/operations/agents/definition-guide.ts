import { LIMITS } from "#lib/contract/limits";
import { RETRY_BACKOFFS } from "#lib/core/engine/work-settings";
import { EXPRESSION_FUNCTIONS, writeSignature } from "#lib/core/expressions/functions/expression-functions";
import {
  EXAMPLE_DEFINITION,
  listTypesWithoutFailedHandle,
  listWorkTypes,
  summarizeNodes,
} from "#lib/core/steps/describe-nodes";

/**
 * Returns the guide to writing a definition, for a model: the rules of the graph, one line for
 * each kind of step, and an example that can be published. It is generated from the rules themselves.
 */
export function definitionGuide(): string {
  const example = JSON.stringify({
    ...EXAMPLE_DEFINITION,
    nodes: EXAMPLE_DEFINITION.nodes.map(({ position: _, ...node }) => node),
  });
  return [
    "A graph of nodes and edges. Node ids are identifiers, because templates reference nodes by id: {{id.field}}, " +
      "{{id.list[0].name}}; {{action_input.field}} is the caller's input. A template that is a single expression keeps the " +
      'type of its value. An unknown field is null; {{a.b ?? "x"}} names a fallback. Functions: ' +
      `${EXPRESSION_FUNCTIONS.map(writeSignature).join(", ")}. A template can reference only upstream nodes. A node runs after every edge into it is ` +
      "decided, if at least one was taken. sourceHandle names the branch of a node that has several; without sourceHandle an edge is taken " +
      `when its source completed. Every type except ${listTypesWithoutFailedHandle().join(", ")} also has the branch failed. It is taken ` +
      "if the step fails after its retries; if no edge leaves it, the run fails (unless continueOnFailure is set). On that " +
      "branch, {{id.error}} has code, reason, message, status, body and retryAfterMs. position is optional. A callable workflow has one action_input and at least one " +
      "return_output.",
    `The data of every node can have name, a label for people. disabled: true takes a step out of every run: it is skipped, ` +
      "its output is empty, and the run continues on its first branch. " +
      `${listWorkTypes().join(", ")} also take maxRetries (0-${LIMITS.maxRetries}), ` +
      `retryBackoff (${RETRY_BACKOFFS.join(", ")}), retryWaitSeconds (1-${LIMITS.retryWaitSecondsMax}) and continueOnFailure. ` +
      "Data and output of each kind (get_step_kinds with kind returns its JSON Schema):",
    summarizeNodes(),
    `Example: ${example}`,
  ].join("\n");
}
