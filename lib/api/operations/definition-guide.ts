import { LIMITS } from "#lib/contract/limits";
import { EXAMPLE_DEFINITION, listWorkTypes, summarizeNodes } from "#lib/core/steps/describe-nodes";

/**
 * How to write a definition, for a model that sees nothing but the tool: the graph's rules, one line for each node type,
 * and an example that can be published. Made of the rules themselves.
 */
export function definitionGuide(): string {
  const example = JSON.stringify({
    ...EXAMPLE_DEFINITION,
    nodes: EXAMPLE_DEFINITION.nodes.map(({ position: _, ...node }) => node),
  });
  return [
    "A graph of nodes and edges. Node ids are identifiers, because templates name nodes by them: {{id.field}}, " +
      "{{id.list[0].name}}; {{action_input.field}} is the caller's input. A template that is one expression keeps the " +
      "value's type; what is unknown is null; only nodes upstream may be named. A node runs once every edge into it is " +
      "decided and one was taken. sourceHandle names the way out of a node with several; without it an edge is taken " +
      "when its source completed. position may be left out. A callable workflow has one action_input and at least one " +
      "return_output.",
    `Every data may have name, a label for people. ${listWorkTypes().join(", ")} also take maxRetries (0-${LIMITS.maxRetries}) and ` +
      "continueOnFailure. Data and output of each type (full JSON Schemas: resource signalbox://nodes):",
    summarizeNodes(),
    `Example: ${example}`,
  ].join("\n");
}
