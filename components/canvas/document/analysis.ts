import type { Definition } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { createGraphMemory } from "#lib/core/graph/checks/graph-memory";
import { isError } from "#lib/core/graph/checks/problem";
import { warnSecrets } from "#lib/core/graph/checks/typed-secrets";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { type GraphIndex, indexGraph } from "#lib/core/graph/edges";
import { isSameOrder, orderSteps } from "@/components/canvas/document/step-order";

/** Everything derived from a definition alone. */
export interface Analysis {
  index: GraphIndex;
  /** Step numbers by node id, from 1, in reading order. */
  steps: ReadonlyMap<string, number>;
  problems: readonly GraphProblem[];
  problemsByNode: ReadonlyMap<string, readonly GraphProblem[]>;
  /** Warnings: likely mistakes that don't block publishing. */
  warnings: readonly GraphProblem[];
}

const known = new WeakMap<Definition, Analysis>();
const NONE: readonly GraphProblem[] = [];
const memory = createGraphMemory();
let latest: Analysis | null = null;

/**
 * Returns the analysis of a definition, computed once per definition, because definitions are never changed in place.
 * While a user types, each definition is almost the same as the one before. Parts that a letter does not change are not
 * computed again and stay the same objects.
 */
export function analyse(definition: Definition): Analysis {
  const before = known.get(definition);
  if (before !== undefined) return before;
  latest = analyseAfter(definition, latest);
  known.set(definition, latest);
  return latest;
}

function analyseAfter(definition: Definition, before: Analysis | null): Analysis {
  const index = indexGraph(definition, before?.index);
  const isOrdered = before !== null && isSameOrder(before.index.definition, definition);
  const found = validateGraph(definition, memory);
  const problems = keepSame(before?.problems, found.filter(isError));
  const problemsByNode = problems === before?.problems ? before.problemsByNode : groupByNode(problems, before);
  const warnings = keepSame(before?.warnings, [
    ...found.filter((problem) => !isError(problem)),
    ...warnSecrets(definition),
  ]);
  return { index, steps: isOrdered ? before.steps : numberSteps(definition), problems, problemsByNode, warnings };
}

function numberSteps(definition: Definition): ReadonlyMap<string, number> {
  return new Map(orderSteps(definition).map((id, index) => [id, index + 1]));
}

function groupByNode(problems: readonly GraphProblem[], before: Analysis | null): Analysis["problemsByNode"] {
  const groups = Map.groupBy(problems, (problem) => problem.node_id);
  const named = [...groups].flatMap(([id, group]) => (id === undefined ? [] : [[id, group] as const]));
  return new Map(named.map(([id, group]) => [id, keepSame(before?.problemsByNode.get(id), group)]));
}

/** Returns the previous list when the content is equal, so that components that show it don't render again. */
function keepSame(before: readonly GraphProblem[] | undefined, after: readonly GraphProblem[]) {
  const isSame = before?.length === after.length && after.every((problem, at) => isSameProblem(problem, before[at]));
  return isSame ? before : after;
}

function isSameProblem(a: GraphProblem, b: GraphProblem | undefined): boolean {
  if (a === b) return true;
  const isSamePlace = a.node_id === b?.node_id && a.field === b?.field && a.edge_id === b?.edge_id;
  return isSamePlace && a.code === b?.code && a.message === b.message;
}

/**
 * Returns the problems without those of the field that the user is typing in: `{{am` is a value in progress, not a
 * mistake.
 */
export function settledProblems(
  problems: readonly GraphProblem[],
  typingIn: { nodeId: string; field: string } | null,
): readonly GraphProblem[] {
  if (typingIn === null) return problems;
  const isTyped = ({ node_id, field = "" }: GraphProblem) =>
    node_id === typingIn.nodeId && (field === typingIn.field || field.startsWith(`${typingIn.field}.`));
  return problems.some(isTyped) ? problems.filter((problem) => !isTyped(problem)) : problems;
}

export function problemsOf(analysis: Analysis, nodeId: string): readonly GraphProblem[] {
  return analysis.problemsByNode.get(nodeId) ?? NONE;
}
