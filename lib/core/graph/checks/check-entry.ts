import type { GraphNode } from "#lib/contract/workflow/graph";
import type { ProblemCode } from "#lib/contract/workflow/problem-codes";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { PUBLISH_MESSAGES } from "#lib/contract/workflow/workflow";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import type { GraphIndex } from "#lib/core/graph/edges";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/**
 * Checks the start and the end of a workflow, with the messages that the contract defines (contract, Errors). Nothing
 * can run before the entry.
 */
export function checkEntry(index: GraphIndex): GraphProblem[] {
  const { nodes } = index.definition;
  const inputs = nodes.filter((node) => STEP_KINDS[node.type].starts === "callable");
  const triggers = nodes.filter((node) => STEP_KINDS[node.type].starts === "event_driven");
  return [...checkStart(inputs, triggers, nodes), ...checkNothingBefore(index), ...warnAlone(index, triggers)];
}

/** Warns about a trigger that starts runs without steps. The only step that nothing leads to is certainly meant. */
function warnAlone({ definition, incoming, outgoing }: GraphIndex, [trigger, ...others]: GraphNode[]): GraphProblem[] {
  if (trigger === undefined || others.length > 0 || (outgoing.get(trigger.id)?.length ?? 0) > 0) return [];
  const problem = nodeWarning(trigger, "TRIGGER_ALONE", "no step follows it, so its runs do nothing");
  const loose = definition.nodes.filter(({ id, type, parentId }) => {
    return STEP_KINDS[type].starts === null && parentId === undefined && (incoming.get(id)?.length ?? 0) === 0;
  });
  const [only] = loose;
  if (only === undefined || loose.length > 1) return [problem];
  return [{ ...problem, fix: { op: "add_edge", source: trigger.id, target: only.id } }];
}

function checkStart(inputs: GraphNode[], triggers: GraphNode[], nodes: readonly GraphNode[]): GraphProblem[] {
  const [trigger] = triggers;
  if (trigger && inputs.length > 0) {
    const message = "a workflow starts with an Action Input or a Trigger, not both";
    return [nodeProblem(trigger, "TWO_STARTS", message)];
  }
  if (trigger) return triggers.length === 1 ? [] : [countProblem("TRIGGER_COUNT", PUBLISH_MESSAGES.trigger, triggers)];
  const problems: GraphProblem[] = [];
  if (inputs.length !== 1) problems.push(countProblem("ACTION_INPUT_COUNT", PUBLISH_MESSAGES.actionInput, inputs));
  if (!nodes.some((node) => STEP_KINDS[node.type].isResult)) {
    problems.push({ severity: "error", code: "RETURN_OUTPUT_COUNT", message: PUBLISH_MESSAGES.returnOutput });
  }
  return problems;
}

function countProblem(code: ProblemCode, message: string, [, second]: readonly GraphNode[]): GraphProblem {
  return { severity: "error", code, message, ...(second ? { node_id: second.id } : {}) };
}

function checkNothingBefore(index: GraphIndex): GraphProblem[] {
  const problems: GraphProblem[] = [];
  for (const node of index.definition.nodes) {
    if (STEP_KINDS[node.type].starts === null) continue;
    for (const edge of index.incoming.get(node.id) ?? []) {
      const problem = nodeProblem(
        node,
        "ENTRY_HAS_INCOMING",
        "the workflow starts here, so no edge can lead to this step",
      );
      problems.push({ ...problem, edge_id: edge.id });
    }
  }
  return problems;
}
