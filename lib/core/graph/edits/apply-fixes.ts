import { ApiError } from "#lib/contract/error/api-error";
import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import { type GraphOperation, graphOperationSchema } from "#lib/core/graph/edits/graph-operations";
import { isJsonObject } from "#lib/support/json";

interface AppliedFixes {
  /** The same reference if there was nothing to apply. */
  definition: Definition;
  /** The problems whose fix was applied. */
  applied: GraphProblem[];
}

/** A fix can show another problem, such as the field of a step whose name was wrong. Each check costs milliseconds. */
const ROUNDS_MAX = 8;

/**
 * Applies every fix of a definition's problems, and those of the problems that appear then. Each fix was computed for the
 * definition that was checked, so of two that change the same value, the second one waits for the next check.
 */
export async function applyFixes(
  before: Definition,
  check: (definition: Definition) => readonly GraphProblem[] | Promise<readonly GraphProblem[]>,
): Promise<AppliedFixes> {
  const applied: GraphProblem[] = [];
  const tried = new Set<string>();
  let definition = before;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const taken: Taken = new Map();
    let hasApplied = false;
    for (const problem of await check(definition)) {
      const operation = graphOperationSchema.safeParse(problem.fix).data;
      const key = JSON.stringify([problem.code, problem.node_id, problem.field, problem.message]);
      if (operation === undefined || tried.has(key) || !isFree(taken, operation)) continue;
      tried.add(key);
      const fixed = tryOperation(definition, operation);
      if (fixed === null) continue;
      definition = fixed;
      reserve(taken, operation);
      applied.push(problem);
      hasApplied = true;
    }
    if (!hasApplied) break;
  }
  return { definition, applied };
}

/** Returns null if the operation does not fit anymore: a fix is an offer, and never a reason to fail. */
function tryOperation(definition: Definition, operation: GraphOperation): Definition | null {
  try {
    return applyGraphOperations(definition, [operation]);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** The values that the operations of a round replace, by node. An operation on the whole graph is alone in its round. */
type Taken = Map<string, string[][]>;
const GRAPH = "";

/** Returns true if no earlier operation of the round replaces a value that this one replaces. */
function isFree(taken: Taken, operation: GraphOperation): boolean {
  if (operation.op !== "update_node") return taken.size === 0;
  const own = leavesOf(operation.data ?? {}, []);
  const others = taken.get(operation.node_id) ?? [];
  return !taken.has(GRAPH) && !own.some((path) => others.some((other) => isAbove(path, other) || isAbove(other, path)));
}

function reserve(taken: Taken, operation: GraphOperation): void {
  const id = operation.op === "update_node" ? operation.node_id : GRAPH;
  const own = operation.op === "update_node" ? leavesOf(operation.data ?? {}, []) : [];
  taken.set(id, [...(taken.get(id) ?? []), ...own]);
}

/** Objects of a patch are merged; everything else replaces what was there. */
function leavesOf(value: unknown, path: readonly string[]): string[][] {
  if (!isJsonObject(value)) return [[...path]];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

function isAbove(path: readonly string[], other: readonly string[]): boolean {
  return path.every((key, at) => other[at] === key);
}
