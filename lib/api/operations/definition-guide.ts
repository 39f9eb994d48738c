import { LIMITS } from "#lib/contract/limits";
import { EXAMPLE_DEFINITION, listWorkTypes, summarizeNodes } from "#lib/core/steps/describe-nodes";

/**
 * Returns the guide to writing a definition, for a model that sees only the tool: the rules of the graph, one line for
 * each node type, and an example that can be published. It is generated from the rules themselves.
 */
export function definitionGuide(): string {
  const example = JSON.stringify({
    ...EXAMPLE_DEFINITION,
    nodes: EXAMPLE_DEFINITION.nodes.map(({ position: _, ...node }) => node),
  });
  return [
    "A graph of nodes and edges. Node ids are identifiers, because templates reference nodes by id: {{id.field}}, " +
      "{{id.list[0].name}}; {{action_input.field}} is the caller's input. A template that is a single expression keeps the " +
      "type of its value. An unknown field is null. A template can reference only upstream nodes. A node runs once every edge into it is " +
      "decided and at least one was taken. sourceHandle names the branch of a node that has several; without sourceHandle an edge is taken " +
      "when its source completed. position is optional. A callable workflow has one action_input and at least one " +
      "return_output.",
    `The data of every node can have name, a label for people. ${listWorkTypes().join(", ")} also take maxRetries (0-${LIMITS.maxRetries}) and ` +
      "continueOnFailure. Data and output of each type (full JSON Schemas: resource signalbox://nodes):",
    summarizeNodes(),
    `Example: ${example}`,
  ].join("\n");
}
