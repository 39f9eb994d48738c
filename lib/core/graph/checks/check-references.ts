import type { GraphNode } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import type { GraphProblem } from "#lib/contract/workflow";
import { writeExpression } from "#lib/core/expressions/write-expression";
import { type DeadEndProblem, describeDeadEnd, listSuggestions } from "#lib/core/graph/checks/describe-dead-end";
import { fixText } from "#lib/core/graph/checks/fix-text";
import { type GraphMemory, type ReadTemplate, recall } from "#lib/core/graph/checks/graph-memory";
import { listTemplates } from "#lib/core/graph/checks/list-templates";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import { findNamedNode, type GraphIndex } from "#lib/core/graph/edges";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { nodeLabel } from "#lib/core/steps/node-data";
import { formatNumber } from "#lib/support/format/format-number";
import { type Expression, scanTemplate } from "#lib/support/scan-template";

/**
 * Checks that every expression is well formed, refers to a node that runs before its own, and reads only fields that its
 * output can have (decisions, The graph document).
 */
export function checkReferences(
  index: GraphIndex,
  upstream: ReadonlyMap<string, Set<string>>,
  { templates }: GraphMemory,
  shapes: NodeShapes,
): GraphProblem[] {
  if (hasTooMany(index)) return [tooManyExpressions()];
  return index.definition.nodes.flatMap((node) => {
    const placeOf = placesOf(index, node, upstream.get(node.id) ?? new Set());
    return recall(templates, node, readTemplates).flatMap(({ field, isOfBody, parts, errors }) => {
      const place = placeOf(isOfBody);
      const problems = errors.map((error) =>
        nodeProblem(
          node,
          "INVALID_EXPRESSION",
          `${error.source} in ${field} is not a valid expression: ${error.message}. Write \\{{ for literal braces.`,
          field,
        ),
      );
      const told = new Set<string>();
      for (const part of parts) {
        if (typeof part === "string" || told.has(part.source)) continue;
        told.add(part.source);
        const problem = checkReference(index, part, place, shapes);
        if (!problem) continue;
        const source = part.source.length > 80 ? `${part.source.slice(0, 79)}…` : part.source;
        const create = problem.isWarning ? nodeWarning : nodeProblem;
        const found = create(node, problem.code, `${source} in ${field} ${problem.message}`, field);
        const fix = problem.instead === null ? null : fixText(node, field, part.source, problem.instead);
        problems.push(fix === null ? found : { ...found, fix });
      }
      return problems;
    });
  });
}

/** Counts what looks like an expression before anything is parsed. */
function hasTooMany({ definition }: GraphIndex): boolean {
  let left: number = LIMITS.expressions;
  for (const node of definition.nodes) {
    for (const { text } of listTemplates(node)) {
      for (let at = text.indexOf("{{"); at !== -1; at = text.indexOf("{{", at + 2)) left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}

function tooManyExpressions(): GraphProblem {
  const message = `A workflow can have at most ${formatNumber(LIMITS.expressions)} expressions. Move part of it into a sub-workflow.`;
  return { severity: "error", code: "TOO_MANY_EXPRESSIONS", message };
}

function readTemplates(node: GraphNode): ReadTemplate[] {
  return listTemplates(node).map(({ text, ...place }) => ({ ...place, ...scanTemplate(text) }));
}

/** What an expression can refer to from its position. */
interface Place {
  visible: ReadonlySet<string>;
  /** The steps that provide the current item at this position. */
  loopIds: ReadonlySet<string>;
}

/** A node can have many thousand templates, so each of its two places is derived once. */
function placesOf(index: GraphIndex, node: GraphNode, before: ReadonlySet<string>): (isOfBody: boolean) => Place {
  const places = new Map<boolean, Place>();
  return (isOfBody) =>
    recallPlace(places, isOfBody, () => ({
      visible: isOfBody ? withBody(index, node, before) : before,
      loopIds: loopsAround(index, node, isOfBody),
    }));
}

function recallPlace(places: Map<boolean, Place>, isOfBody: boolean, derive: () => Place): Place {
  const place = places.get(isOfBody) ?? derive();
  places.set(isOfBody, place);
  return place;
}

/** At the end of an iteration, a loop sees itself and the nodes of its body. */
function withBody(index: GraphIndex, loop: GraphNode, before: ReadonlySet<string>): ReadonlySet<string> {
  const body = index.definition.nodes.filter((node) => node.parentId === loop.id);
  return new Set([...before, loop.id, ...body.map((node) => node.id)]);
}

function loopsAround(index: GraphIndex, node: GraphNode, isOfBody: boolean): ReadonlySet<string> {
  const ids = new Set(isOfBody ? [node.id] : []);
  for (let id = node.parentId; id !== undefined && !ids.has(id); id = index.nodes.get(id)?.parentId) ids.add(id);
  return ids;
}

function checkReference(
  index: GraphIndex,
  expression: Expression,
  { visible, loopIds }: Place,
  shapes: NodeShapes,
): DeadEndProblem | null {
  const named = findNamedNode(index, expression.name);
  if (!named) return unknownName(index, expression, visible);
  if (!visible.has(named.id)) {
    return error("REFERENCE_NOT_UPSTREAM", "refers to a step that does not run before this one");
  }
  const [first] = expression.path;
  const itemFields = shapes.ofItem(named)?.fields;
  const misplaced =
    itemFields && first !== undefined
      ? checkItemField(named, String(first), [...itemFields.keys()], loopIds.has(named.id))
      : null;
  if (misplaced) return misplaced;
  const result = shapes.read(expression);
  return result === null || result.kind === "found" ? null : describeDeadEnd(index, named, expression, result);
}

function error(code: string, message: string): DeadEndProblem {
  return { code, message, isWarning: false, instead: null };
}

/** Suggests steps that run before this one; the entry is named by its type. */
function unknownName(index: GraphIndex, { name, path }: Expression, visible: ReadonlySet<string>): DeadEndProblem {
  const names = [...visible].map((id) => (id === index.entry?.id ? index.entry.type : id));
  const { words, certain } = listSuggestions(name, names, { listsAll: false });
  const message = `refers to "${name}", which does not exist${words}`;
  return { ...error("UNKNOWN_REFERENCE", message), instead: certain === null ? null : writeExpression(certain, path) };
}

/**
 * Checks access to a step that works through a list. It provides the item and its index while it does, and its output
 * afterwards (decisions, The graph document).
 */
function checkItemField(
  node: GraphNode,
  field: string,
  fields: readonly string[],
  isInside: boolean,
): DeadEndProblem | null {
  if (isInside === fields.includes(field)) return null;
  const message = isInside
    ? `reads "${field}", but inside ${nodeLabel(node)} only ${fields.join(" and ")} are available`
    : `reads "${field}", which is only available inside ${nodeLabel(node)}`;
  return error("UNKNOWN_LOOP_FIELD", message);
}
