import type { GraphNode } from "#lib/contract/workflow/graph";
import type { ProblemCode } from "#lib/contract/workflow/problem-codes";
import type { Reference } from "#lib/core/expressions/expression";
import { writePath } from "#lib/core/expressions/write-expression";
import { dropWrapper, guessInEvent } from "#lib/core/graph/checks/meant/guess-reference";
import type { GraphIndex } from "#lib/core/graph/edges";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import type { DeadEnd, PathResult } from "#lib/core/shapes/read-path";
import { membersOf, type ObjectShape, type Shape } from "#lib/core/shapes/shape";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { listSuggestions, quoteName } from "#lib/support/list-suggestions";

/** A problem with an expression, as the end of a sentence that starts with the expression. */
export interface DeadEndProblem {
  code: ProblemCode;
  message: string;
  isWarning: boolean;
  /** The path that is certainly meant, without braces; null if there is none. */
  instead: string | null;
}

/**
 * Describes an expression that leads nowhere. A field that an open object does not declare is only a mistake if a declared
 * one has almost the same name.
 */
export function describeDeadEnd(
  index: GraphIndex,
  node: GraphNode,
  { name, path }: Pick<Reference, "name" | "path">,
  result: Exclude<PathResult, { kind: "found" }>,
  shapes: NodeShapes,
): DeadEndProblem | null {
  const { at, of } = result;
  const key = String(path[at]);
  const place = at === 0 ? nodeLabel(node) : pathWords(path.slice(0, at));
  const object = objectIn(of);
  // A service can send more than it documents, but not in the object that Signalbox puts around its answer.
  const isWarning = STEP_KINDS[node.type].isDocumented(node.data) && !membersOf(of).every(isOurs);
  if (object === null) return { code: "UNKNOWN_FIELD", message: notAnObject(key, place, of), isWarning, instead: null };
  const { words, certain } = listSuggestions(key, object.fields.keys(), "its fields are");
  const without = certain === null ? dropWrapper(shapes, name, path, at) : null;
  const inside = certain === null && without === null ? findInside(object, key) : null;
  const steps = inside ?? (certain === null ? null : [certain]);
  const inEvent = steps === null && at === 0 && without === null ? guessInEvent(index, shapes, node, path) : null;
  const replaced = steps === null ? null : writePath(name, [...path.slice(0, at), ...steps, ...path.slice(at + 1)]);
  const instead = without ?? inEvent ?? replaced;
  if (result.kind === "undeclared") {
    if (certain === null) return null;
    const message = `reads "${key}", which ${place} does not declare${words}`;
    return { code: "UNDECLARED_FIELD", message, isWarning: true, instead };
  }
  const isInput = node === index.entry && STEP_KINDS[node.type].starts === "callable" && at === 0;
  const hint = inside === null && without === null && inEvent === null ? words : `; did you mean {{${instead}}}?`;
  return {
    code: isInput ? "UNKNOWN_INPUT_FIELD" : "UNKNOWN_FIELD",
    message: `reads "${key}", which ${place} does not ${isInput ? "declare" : "have"}${hint}`,
    isWarning,
    instead,
  };
}

function isOurs(shape: Shape): boolean {
  return shape.kind === "object" && shape.isOurs === true;
}

function pathWords(path: readonly (string | number)[]): string {
  return quoteName(path.map(String).join("."));
}

function objectIn(shape: Shape): ObjectShape | null {
  if (shape.kind === "object") return shape;
  const inner = shape.kind === "union" ? shape.members.find(({ kind }) => kind === "object") : undefined;
  return inner?.kind === "object" ? inner : null;
}

function notAnObject(key: string, place: string, { kind }: DeadEnd["of"]): string {
  if (kind === "array")
    return `reads "${key}" of ${place}, which is a list; read an item with [0], or loop over the list`;
  return `reads "${key}" of ${place}, which is ${kind === "null" ? "always null" : "not an object"}`;
}

/** Returns the path to a key that exactly one of the object's own objects has. */
function findInside({ fields }: ObjectShape, key: string): string[] | null {
  const holders = [...fields].filter(([, { shape }]) => objectIn(shape)?.fields.has(key));
  const [holder, ...others] = holders;
  return holder === undefined || others.length > 0 ? null : [holder[0], key];
}
