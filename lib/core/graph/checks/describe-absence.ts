import type { GraphNode } from "#lib/contract/workflow/graph";
import type { Reference } from "#lib/core/expressions/expression";
import type { DeadEndProblem } from "#lib/core/graph/checks/describe-dead-end";
import type { GraphIndex } from "#lib/core/graph/edges";
import { continuesAsCompleted, type NodeShapes } from "#lib/core/graph/node-shapes";
import { type Absence, findAbsence } from "#lib/core/shapes/find-absence";
import { isDisabled } from "#lib/core/steps/is-disabled";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { quoteName } from "#lib/support/list-suggestions";

/**
 * Describes when a path that exists leads to nothing: the step is skipped or fails, or the value is optional. Null if it
 * always leads to a value, or if that is not known.
 * @param isCertain true if the step has completed whenever the expression is read; for its error, if it has failed
 */
export function describeAbsence(
  index: GraphIndex,
  node: GraphNode,
  { path }: Pick<Reference, "path">,
  shapes: NodeShapes,
  isCertain: boolean,
): DeadEndProblem | null {
  if (isDisabled(node)) return isAbsent(`is empty, because ${quoteName(nodeLabel(node))} is disabled`);
  if (!isCertain) return mayBeEmpty(whenSkipped(index, node));
  if (path[0] !== "error" && continuesAsCompleted(index, node)) {
    return mayBeEmpty(`${quoteName(nodeLabel(node))} fails, because the run continues`);
  }
  const item = shapes.ofItem(node);
  const isOfItem = item?.fields.has(String(path[0])) === true;
  const absence = findAbsence(isOfItem ? item : shapes.ofNode(node), path);
  return absence === null ? null : mayBeEmpty(whenAbsent(index, node, path, absence));
}

function mayBeEmpty(when: string): DeadEndProblem {
  return isAbsent(`is empty if ${when}`);
}

function isAbsent(what: string): DeadEndProblem {
  const message = `${what}. If that is intended, add a fallback with ??`;
  return { code: "MAY_BE_EMPTY", message, isWarning: true, instead: null };
}

/** Names the branch that leads to a step, if there is only one. */
function whenSkipped({ incoming, nodes }: GraphIndex, node: GraphNode): string {
  const skipped = `${quoteName(nodeLabel(node))} is skipped`;
  const seen = new Set<string>();
  for (let id = node.id; !seen.has(id); ) {
    seen.add(id);
    const [edge, ...others] = incoming.get(id) ?? [];
    const source = edge === undefined || others.length > 0 ? undefined : nodes.get(edge.source);
    if (source === undefined) return skipped;
    const handle = edge?.sourceHandle ?? STEP_KINDS[source.type].namelessHandle;
    if (handle !== undefined) {
      return `${skipped}, which happens when ${quoteName(nodeLabel(source))} takes a branch other than ${quoteName(handle)}`;
    }
    id = source.id;
  }
  return skipped;
}

function whenAbsent(index: GraphIndex, node: GraphNode, path: Reference["path"], { kind, at }: Absence): string {
  const label = quoteName(nodeLabel(node));
  const name = quoteName(path.slice(0, kind === "null" ? at : at + 1).join("."));
  if (kind === "null") return `${name} of ${label} is null`;
  const isInput = node === index.entry && STEP_KINDS[node.type].starts === "callable";
  return isInput ? `the caller leaves out ${name}` : `the output of ${label} has no ${name}`;
}
