import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { createFix, patchNode, renameKey } from "#lib/core/graph/checks/create-fix";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { suggestKey } from "#lib/core/graph/checks/meant/suggest-key";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { STEP_DATA } from "#lib/core/steps/step-data";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";
import { listUnknownKeys } from "#lib/support/list-unknown-keys";

/**
 * Finds keys in a node's data that nothing reads. A key that is almost the name of a known one has lost its value; any
 * other one can be removed without changing what the step does.
 */
export function findUnknownKeys(node: GraphNode): GraphProblem[] {
  return listUnknownKeys(STEP_DATA[node.type], node.data).map(({ path, known }) => {
    const field = path.join(".");
    const { words, certain } = suggestKey(path.at(-1) ?? "", known);
    const isParam = certain === null && belongsToParams(node, path);
    const nothing = isParam ? "; move it into params" : "; remove it, because nothing reads it";
    const advice = words === "" || isParam ? nothing : words;
    const problem = nodeProblem(node, "UNKNOWN_KEY", `${field} is not a setting of this step${advice}`, field);
    const fix = isParam
      ? movedToParams(node, path)
      : words === ""
        ? removed(node, path)
        : certain === null
          ? null
          : renamed(node, path, certain);
    return fix === null ? problem : { ...problem, fix };
  });
}

/** The params of an HTTP request, which every agent knows; of other operations, they are not known here. */
const HTTP_PARAMS: ReadonlySet<string> = new Set(["method", "url", "headers", "query", "body", "timeout_ms"]);

/** Many engines have the settings of an operation next to its name. */
function belongsToParams({ type, data }: GraphNode, [key = "", ...rest]: readonly string[]): boolean {
  if (type !== "connector" || rest.length > 0 || typeof data.operation !== "string") return false;
  const params = isJsonObject(data.params) ? data.params : {};
  return !Object.hasOwn(params, key) && data.connector === "http" && HTTP_PARAMS.has(key);
}

function movedToParams(node: GraphNode, [key = ""]: readonly string[]) {
  const data: JsonObject = { [key]: null, params: { [key]: node.data[key] } };
  return createFix(node, data);
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
