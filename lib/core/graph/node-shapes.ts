import type { GraphNode } from "#lib/contract/workflow/graph";
import { FAILED_HANDLE } from "#lib/core/engine/choose-path";
import type { Reference } from "#lib/core/expressions/expression";
import { scanTemplate } from "#lib/core/expressions/scan-template";
import { shapeOfExpression } from "#lib/core/expressions/shape-of-expression";
import { findNamedNode, type GraphIndex } from "#lib/core/graph/edges";
import { type PathResult, readPath } from "#lib/core/shapes/read-path";
import {
  closedObject,
  listShape,
  membersOf,
  NULL,
  type ObjectShape,
  type Shape,
  scalar,
  shapeOfValue,
  UNKNOWN,
  unionShape,
} from "#lib/core/shapes/shape";
import { STEP_ERROR_SHAPE } from "#lib/core/shapes/step-error-shape";
import { type Catalog, hasFailedBranch, type ShapeContext, type StepKind } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";

/** Deeper parts of a template are unknown. */
const DEPTH_MAX = 12;

/** The shapes of the values in one definition. Each is derived at most once. */
export interface NodeShapes {
  /** The output of a node; an object with `error` if it failed and the run continued. */
  ofNode: (node: GraphNode) => Shape;
  /** The current item and its index, while a node works through a list; null for other nodes. */
  ofItem: (node: GraphNode) => ObjectShape | null;
  /** The value that a template produces: a text, or any JSON that contains texts. */
  ofTemplate: (template: unknown) => Shape;
  /** What an expression leads to; null if it names no node. */
  read: (expression: Pick<Reference, "name" | "path">) => PathResult | null;
}

/** For places that know nothing but the definition, such as a browser. */
export const NO_CATALOG: Catalog = {
  findOutput: () => UNKNOWN,
  findActionOutput: () => UNKNOWN,
  readCode: () => UNKNOWN,
};

/** A step that failed has no output, only its error. */
const FAILED_STEP: ObjectShape = {
  ...closedObject(["error", STEP_ERROR_SHAPE, "Why the step failed"]),
  isOurs: true,
};

/** A failed step as a whole is null. */
function withoutError(output: Shape): Shape {
  if (!membersOf(output).includes(FAILED_STEP)) return output;
  return unionShape(membersOf(output).map((member) => (member === FAILED_STEP ? NULL : member)));
}

/** Returns true if a node has a Failed branch that leads to a step. */
function takesFailedBranch({ outgoing }: GraphIndex, { id, type, data }: GraphNode): boolean {
  if (!hasFailedBranch(STEP_KINDS[type] as StepKind, data)) return false;
  return outgoing.get(id)?.some((edge) => edge.sourceHandle === FAILED_HANDLE) ?? false;
}

/** Returns true if the same steps run after a node, whether it completed or failed. */
export function continuesAsCompleted(index: GraphIndex, node: GraphNode): boolean {
  const kind: StepKind = STEP_KINDS[node.type];
  return kind.canContinue && node.data.continueOnFailure === true && !takesFailedBranch(index, node);
}

/** Returns true if steps after a node also run when it has failed. */
export function canContinueAfterFailure(index: GraphIndex, node: GraphNode): boolean {
  return continuesAsCompleted(index, node) || takesFailedBranch(index, node);
}

const known = new WeakMap<GraphIndex, WeakMap<Catalog, NodeShapes>>();

/** Returns the shapes of a definition as far as it determines them, alone or together with a catalog. */
export function shapesOf(index: GraphIndex, catalog: Catalog = NO_CATALOG): NodeShapes {
  const before = known.get(index) ?? new WeakMap<Catalog, NodeShapes>();
  known.set(index, before);
  const shapes = before.get(catalog) ?? createNodeShapes(index, catalog);
  before.set(catalog, shapes);
  return shapes;
}

function createNodeShapes(index: GraphIndex, catalog: Catalog): NodeShapes {
  // In a draft, a node can read from itself. Until a shape is derived, the first value counts.
  const outputs = new Map<GraphNode, Shape>();
  const items = new Map<GraphNode, ObjectShape | null>();
  const context: ShapeContext = { shapeOf: (template) => ofTemplate(template, 0), catalog };

  function ofNode(node: GraphNode): Shape {
    const before = outputs.get(node);
    if (before !== undefined) return before;
    outputs.set(node, UNKNOWN);
    const kind: StepKind = STEP_KINDS[node.type];
    const shape = kind.outputShape(node.data, context);
    const own = canContinueAfterFailure(index, node) ? unionShape([shape, FAILED_STEP]) : shape;
    outputs.set(node, own);
    return own;
  }

  function ofItem(node: GraphNode): ObjectShape | null {
    const before = items.get(node);
    if (before !== undefined) return before;
    items.set(node, null);
    const item = (STEP_KINDS[node.type] as StepKind).itemShape?.(node.data, context) ?? null;
    items.set(node, item);
    return item;
  }

  function read({ name, path }: Pick<Reference, "name" | "path">): PathResult | null {
    const node = findNamedNode(index, name);
    if (node === null) return null;
    const item = ofItem(node);
    // Inside its body a list step provides the item, afterwards its output; `checkReferences` knows which one it is.
    const result = item === null ? null : readPath(item, path);
    if (result !== null && path.length > 0 && (result.kind === "found" || result.at > 0)) return result;
    const output = ofNode(node);
    return readPath(path.length === 0 ? withoutError(output) : output, path);
  }

  function ofTemplate(template: unknown, depth: number): Shape {
    if (typeof template === "string") return template.includes("{{") ? ofText(template) : scalar("string");
    if (depth > DEPTH_MAX) return UNKNOWN;
    if (Array.isArray(template)) return listShape(unionShape(template.map((item) => ofTemplate(item, depth + 1))));
    if (!isJsonObject(template)) return shapeOfValue(template);
    return closedObject(
      ...Object.entries(template).map(([name, value]) => [name, ofTemplate(value, depth + 1)] as const),
    );
  }

  /** A text that is a single expression keeps the value's type; with text around it, it produces text. */
  function ofText(text: string): Shape {
    const { parts, errors } = scanTemplate(text);
    const [only, ...others] = parts;
    if (errors.length > 0) return UNKNOWN;
    if (only === undefined || others.length > 0 || typeof only === "string") return scalar("string");
    return shapeOfExpression(only.root, (reference) => {
      const result = read(reference);
      if (result === null || result.kind === "undeclared") return UNKNOWN;
      if (result.kind === "missing") return NULL;
      return result.canBeAbsent ? unionShape([result.shape, NULL]) : result.shape;
    });
  }

  return { ofNode, ofItem, ofTemplate: (template) => ofTemplate(template, 0), read };
}
