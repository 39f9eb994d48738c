import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { isError } from "#lib/core/graph/checks/problem";
import { warnSecrets } from "#lib/core/graph/checks/typed-secrets";
import { type GraphIndex, indexGraph } from "#lib/core/graph/edges";
import type { Catalog } from "#lib/core/steps/define-step-kind";
import { isSameOrder, orderSteps } from "@/components/canvas/document/step-order";

/** Everything derived from a definition. */
export interface Analysis {
  index: GraphIndex;
  /** Step numbers by node id, from 1, in reading order. */
  steps: ReadonlyMap<string, number>;
  problems: readonly GraphProblem[];
  problemsByNode: ReadonlyMap<string, readonly GraphProblem[]>;
  /** Warnings: likely mistakes that don't block publishing. */
  warnings: readonly GraphProblem[];
  /** What called operations and actions declare; only for the panel, because the server decides what is a problem. */
  catalog?: Catalog | undefined;
}

type CheckDefinition = (definition: Definition) => GraphProblem[];

let known = new WeakMap<Definition, Analysis>();
const NONE: readonly GraphProblem[] = [];
let latest: Analysis | null = null;
/** Null until the checks have loaded. They are half as large as the drawing's own code, which does not need them. */
let check: CheckDefinition | null = null;

/** Loads the checks. Every analysis since then contains all problems and warnings. */
export async function loadChecks(): Promise<void> {
  const { checkDefinition } = await import("@/components/canvas/document/check-definition");
  if (check !== null) return;
  check = checkDefinition;
  known = new WeakMap();
}

/** Returns true once an analysis contains all problems and warnings. */
export function hasChecks(): boolean {
  return check !== null;
}

/**
 * Returns the analysis of a definition, computed once per definition, because definitions are never changed in place.
 * Before the checks have loaded, it only warns about secrets, which the server does not list with the problems of a draft.
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
  const found = check?.(definition) ?? warnSecrets(definition);
  const problems = keepSame(before?.problems, found.filter(isError));
  const problemsByNode = problems === before?.problems ? before.problemsByNode : groupByNode(problems, before);
  const warnings = keepSame(
    before?.warnings,
    found.filter((problem) => !isError(problem)),
  );
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

/** Nodes that were just added, by id, with the fields that the user has left since. */
export type FreshNodes = Readonly<Record<string, readonly string[]>>;

export const NO_FRESH_NODES: FreshNodes = {};

/** Returns true for a problem of a node that was just added, in a place that the user has not left yet. */
export function isUntouched(fresh: FreshNodes, { node_id: nodeId, field = "" }: GraphProblem): boolean {
  const left = nodeId === undefined ? undefined : fresh[nodeId];
  return left !== undefined && !left.some((name) => field === name || field.startsWith(`${name}.`));
}

/** What the user has not finished writing. */
interface Unsettled {
  typingIn: { nodeId: string; field: string } | null;
  freshNodes: FreshNodes;
}

/**
 * Returns the problems without those of the field that the user is typing in, and of fields of a new step that the user
 * has not left: `{{am` is a value in progress, and an empty field of a new step is not a mistake.
 */
export function settledProblems(
  problems: readonly GraphProblem[],
  { typingIn, freshNodes }: Unsettled,
): readonly GraphProblem[] {
  const isTyped = ({ node_id, field = "" }: GraphProblem) =>
    typingIn !== null &&
    node_id === typingIn.nodeId &&
    (field === typingIn.field || field.startsWith(`${typingIn.field}.`));
  const isUnsettled = (problem: GraphProblem) => isTyped(problem) || isUntouched(freshNodes, problem);
  return problems.some(isUnsettled) ? problems.filter((problem) => !isUnsettled(problem)) : problems;
}

export function problemsOf(analysis: Analysis, nodeId: string): readonly GraphProblem[] {
  return analysis.problemsByNode.get(nodeId) ?? NONE;
}
