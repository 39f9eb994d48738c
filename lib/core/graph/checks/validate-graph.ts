import { LIMITS } from "#lib/contract/limits";
import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { checkEdges } from "#lib/core/graph/checks/check-edges";
import { checkEntry } from "#lib/core/graph/checks/check-entry";
import { checkNodeData, warnDisabled } from "#lib/core/graph/checks/check-node-data";
import { checkNodes } from "#lib/core/graph/checks/check-nodes";
import { checkPaths, upstreamOfAll } from "#lib/core/graph/checks/check-paths";
import { checkPlaceholders } from "#lib/core/graph/checks/check-placeholders";
import { checkReferences } from "#lib/core/graph/checks/check-references";
import { createGraphMemory, recall } from "#lib/core/graph/checks/graph-memory";
import { isError, keepRelevant, MAX_PROBLEMS, nodeProblem } from "#lib/core/graph/checks/problem";
import { checkMisfits } from "#lib/core/graph/checks/rules/check-misfits";
import { checkRules } from "#lib/core/graph/checks/rules/check-rules";
import { checkMasks } from "#lib/core/graph/checks/typed-secrets";
import { warnTypes } from "#lib/core/graph/checks/warn-types";
import { type GraphIndex, indexGraph } from "#lib/core/graph/edges";
import { shapesOf } from "#lib/core/graph/node-shapes";
import type { Catalog } from "#lib/core/steps/define-step-kind";
import { nodeLabel } from "#lib/core/steps/node-data";
import { returnOutputData } from "#lib/core/steps/return-output/return-output-data";
import { returnOutputKind } from "#lib/core/steps/return-output/return-output-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { exceedsJsonDepth } from "#lib/support/json";
import { parseGiven } from "#lib/support/leave-out-nulls";

/**
 * Lists the mistakes in a definition, each with its node and field. Errors prevent publishing and come first: those of the
 * whole workflow, then those of the structure, then those of fields. Warnings follow.
 * @param memory of earlier checks, if the same definition is checked repeatedly while it changes
 * @param catalog what exists outside the definition; without it, the definition is checked alone
 */
export function validateGraph(definition: Definition, memory = createGraphMemory(), catalog?: Catalog): GraphProblem[] {
  const { nodes, edges } = definition;
  if (nodes.length > LIMITS.graphNodes || edges.length > LIMITS.graphEdges) {
    const message = `A workflow can have at most ${LIMITS.graphNodes} nodes and ${LIMITS.graphEdges} edges.`;
    return [{ severity: "error", code: "GRAPH_TOO_LARGE", message }];
  }
  if (exceedsJsonDepth(definition, LIMITS.jsonDepth)) {
    return [
      {
        severity: "error",
        code: "GRAPH_TOO_DEEP",
        message: `The definition is nested deeper than ${LIMITS.jsonDepth} levels.`,
      },
    ];
  }
  const index = indexGraph(definition, memory.index);
  memory.index = index;
  const shapes = shapesOf(index, catalog);
  const upstream = recall(memory.upstream, index.incoming, () => upstreamOfAll(index));
  const problems = [
    ...checkEntry(index),
    ...checkNodes(index),
    ...checkLoops(index),
    ...checkEdges(index),
    ...checkPaths(index, upstream),
    ...checkNodeData(index, memory),
    ...checkMisfits(index, shapes),
    ...checkReturnTypes(index),
    ...checkReferences(index, upstream, memory, shapes),
    ...checkPlaceholders(index, upstream, shapes),
    ...checkMasks(definition),
    ...warnTypes(index, shapes),
    ...checkRules(index, shapes),
    ...warnDisabled(definition),
  ];
  return errorsFirst(keepRelevant(definition, problems)).slice(0, MAX_PROBLEMS);
}

/** Keeps the order within each severity, so that the limit never cuts an error for a warning. */
export function errorsFirst(problems: readonly GraphProblem[]): GraphProblem[] {
  return [...problems.filter(isError), ...problems.filter((problem) => !isError(problem))];
}

/** Checks that a loop has a body, and that the body does not contain the start or the end of the workflow. */
function checkLoops(index: GraphIndex): GraphProblem[] {
  const { nodes } = index.definition;
  const filled = new Set(nodes.map((node) => node.parentId));
  return nodes.flatMap((node) => {
    const { starts, holdsBody, fitsInLoop } = STEP_KINDS[node.type];
    if (holdsBody && !filled.has(node.id)) {
      return [nodeProblem(node, "EMPTY_LOOP", "the loop contains no steps")];
    }
    if (node.parentId === undefined || fitsInLoop) return [];
    const what = starts === null ? "the workflow returns its output once, after the loop" : "the workflow starts here";
    return [nodeProblem(node, "NOT_IN_LOOP", `${what}, so this step cannot be inside a loop`)];
  });
}

/**
 * Checks that all Return Output nodes declare the same type for a property, because together they make up one output
 * schema.
 */
function checkReturnTypes(index: GraphIndex): GraphProblem[] {
  const first = new Map<string, { type: string; label: string }>();
  const problems: GraphProblem[] = [];
  for (const node of index.definition.nodes) {
    if (node.type !== returnOutputKind.type) continue;
    const data = parseGiven(returnOutputData, node.data);
    for (const [position, { name, type }] of (data.data?.properties ?? []).entries()) {
      const known = first.get(name);
      if (!known) first.set(name, { type, label: nodeLabel(node) });
      else if (known.type !== type) {
        const message = `"${name}" has type ${type} here and type ${known.type} in ${known.label}`;
        problems.push(nodeProblem(node, "RETURN_TYPE_CONFLICT", message, `properties.${position}.type`));
      }
    }
  }
  return problems;
}
