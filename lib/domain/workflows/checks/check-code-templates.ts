import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { createFix } from "#lib/core/graph/checks/create-fix";
import { nodeWarning } from "#lib/core/graph/checks/problem";
import { findNamedNode, type GraphIndex, upstreamIds } from "#lib/core/graph/edges";
import { placeInField } from "#lib/core/steps/code/place-in-field";
import { isJsonObject } from "#lib/support/json";

const EXPRESSION = /\{\{\s{0,9}([A-Za-z_]\w{0,63})((?:\.\w{1,64}){1,9})\s{0,9}\}\}/g;

/** Warns about expressions in the source of a code step, where nothing fills them in. The first one is reported. */
export function checkCodeTemplates(index: GraphIndex, node: GraphNode, source: string): GraphProblem[] {
  if (!source.includes("{{")) return [];
  const visible = upstreamIds(index, node.id);
  for (const { 0: written, 1: name = "", 2: path = "", index: at } of source.matchAll(EXPRESSION)) {
    const named = findNamedNode(index, name);
    if (named === null || !visible.has(named.id)) continue;
    const key = path.split(".").at(-1) ?? name;
    const before = source.slice(0, at).split("\n");
    const place = { line: before.length, column: (before.at(-1) ?? "").length + 1 };
    const message = `${written} stays as it is, because code is no template. Pass it in input, and read input.${key}`;
    const problem = nodeWarning(node, "FOREIGN_PLACEHOLDER", `${placeInField("source", place)}${message}`, "source");
    const fix = passed(node, source, { written, at, key });
    return [{ ...problem, ...place, ...(fix === null ? {} : { fix }) }];
  }
  return [];
}

/** Replaces a text in quotes that is nothing but the expression; null for another one. */
function passed(node: GraphNode, source: string, { written, at, key }: { written: string; at: number; key: string }) {
  const [open = "", close = ""] = [source[at - 1], source[at + written.length]];
  const input = isJsonObject(node.data.input) ? node.data.input : {};
  if (open !== close || !/["'`]/.test(open) || Object.hasOwn(input, key)) return null;
  const text = `${source.slice(0, at - 1)}input.${key}${source.slice(at + written.length + 1)}`;
  return createFix(node, { input: { [key]: written }, source: text });
}
