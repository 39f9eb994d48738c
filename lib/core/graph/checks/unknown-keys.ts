import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { patchNode, renameKey } from "#lib/core/graph/checks/create-fix";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { STEP_DATA } from "#lib/core/steps/step-data";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";
import { listSuggestions } from "#lib/support/list-suggestions";
import { listUnknownKeys } from "#lib/support/list-unknown-keys";

/**
 * Finds keys in a node's data that nothing reads. A key that is almost the name of a known one has lost its value; any
 * other one can be removed without changing what the step does.
 */
export function findUnknownKeys(node: GraphNode): GraphProblem[] {
  return listUnknownKeys(STEP_DATA[node.type], node.data).map(({ path, known }) => {
    const field = path.join(".");
    const { words, certain } = listSuggestions(path.at(-1) ?? "", known);
    const advice = words === "" ? "; remove it, because nothing reads it" : words;
    const problem = nodeProblem(node, "UNKNOWN_KEY", `${field} is not a setting of this step${advice}`, field);
    const fix = words === "" ? removed(node, path) : certain === null ? null : renamed(node, path, certain);
    return fix === null ? problem : { ...problem, fix };
  });
}

/** In a merge patch, null removes a key. */
function removed(node: GraphNode, path: readonly string[]) {
  const [key = "", at] = [path.at(-1), path.slice(0, -1)];
  if (!isBelowList(at)) return patchNode(node, path, null);
  return fixValue(node, at.join("."), (holder) =>
    isJsonObject(holder) ? Object.fromEntries(Object.entries(holder).filter(([name]) => name !== key)) : holder,
  );
}

function renamed(node: GraphNode, path: readonly string[], to: string) {
  const [from = "", at] = [path.at(-1), path.slice(0, -1)];
  if (!isBelowList(at)) return renameKey(node, at, from, to);
  const holder = getPath(node.data, at);
  if (!isJsonObject(holder) || Object.hasOwn(holder, to)) return null;
  return fixValue(node, at.join("."), () => {
    return Object.fromEntries(Object.entries(holder).map(([key, item]) => [key === from ? to : key, item]));
  });
}

/** Below a list, a patch replaces the whole list. */
function isBelowList(path: readonly string[]): boolean {
  return path.some((key) => /^\d+$/.test(key));
}
