import { LIMITS } from "#lib/contract/limits";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { canWriteKey, writeExpression, writePath } from "#lib/core/expressions/write-expression";
import { readPath } from "#lib/core/shapes/read-path";
import { membersOf, type Shape, type ShapeField, typeOfShape, UNKNOWN } from "#lib/core/shapes/shape";
import { isJsonObject } from "#lib/support/json";
import type { Analysis } from "@/components/canvas/document/analysis";
import type { DataStep } from "@/components/canvas/panel/data/list-data-steps";

export type DataPath = readonly (string | number)[];

/** One value in the tree of earlier data. */
export interface DataNode {
  /** Unique in the tree, and the same after a change that keeps the value. */
  key: string;
  /** The name of the field, `[0]`, or `each`. */
  label: string;
  /** The step that the expression reads, and the path in its data. */
  step: DataStep;
  path: DataPath;
  /** The whole expression, including braces; null for a value that no expression can read. */
  expression: string | null;
  shape: Shape;
  /** The last known value; undefined if there is none. */
  value: unknown;
  type: string;
  description: string;
  hasChildren: boolean;
}

/** Everything that the tree is derived from. */
export interface DataContext {
  analysis: Analysis;
  /** Nearest first. */
  steps: readonly DataStep[];
}

export function rootNode(step: DataStep): DataNode {
  const key = `${step.isOwn ? "own " : ""}${step.reads} ${step.name}`;
  const node = createNode(step, [], key, { label: step.name, shape: step.shape, value: step.value, description: "" });
  // An item and an address are only parts of what the name leads to later.
  return step.reads === "output" ? node : { ...node, expression: null };
}

/** Returns the values inside a value, declared fields first. */
export function childNodes(context: DataContext, node: DataNode): DataNode[] {
  const { shape, value } = node;
  if (isList(shape, value)) return listNodes(context, node);
  const declared = declaredFields(shape);
  const names = new Set([...declared.keys(), ...(isJsonObject(value) ? Object.keys(value) : [])]);
  return [...names].map((name) =>
    createNode(node.step, [...node.path, name], `${node.key}.${JSON.stringify(name)}`, {
      label: name === "" ? '""' : name,
      shape: shapeAt(shape, name),
      value: isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : undefined,
      description: declared.get(name)?.description ?? "",
    }),
  );
}

/** Returns the value with this key, or null if the data no longer has it. */
export function findNode(context: DataContext, key: string): DataNode | null {
  let siblings = context.steps.map(rootNode);
  for (;;) {
    const next = siblings.find((node) => key === node.key || CONTINUES.some((sign) => key.startsWith(node.key + sign)));
    if (next === undefined || next.key === key) return next ?? null;
    siblings = childNodes(context, next);
  }
}

/** The key of a value is the key of what contains it, followed by one of these and its own name. */
const CONTINUES = [".", "[", " "];

/** Returns what can be read of a list: each item if something here can use it, and every known item by its position. */
function listNodes(context: DataContext, list: DataNode): DataNode[] {
  const { step, path, shape, value } = list;
  const items = Array.isArray(value) ? value : [undefined];
  const inner = shapeAt(shape, 0);
  const nodes = items.map((item, at) =>
    createNode(step, [...path, at], `${list.key}[${at}]`, {
      label: `[${at}]`,
      shape: inner,
      value: item,
      description: "",
    }),
  );
  const each = itemNode(context, list) ?? joinedNode(list);
  return each === null ? nodes : [each, ...nodes];
}

/** Returns the current item of the step that works through exactly this list, or null if none does here. */
export function itemNode({ steps }: DataContext, list: DataNode): DataNode | null {
  const source = list.expression;
  const reader = steps.find(({ reads, node }) => reads === "item" && isSameExpression(node.data.items, source));
  if (reader === undefined) return null;
  const value = isJsonObject(reader.value) ? (reader.value.item ?? null) : undefined;
  return createNode(reader, ["item"], `${list.key} each`, {
    label: "each",
    shape: shapeAt(reader.shape, "item"),
    value,
    description: `The current item of ${reader.label}`,
  });
}

function isSameExpression(template: unknown, expression: string | null): boolean {
  return typeof template === "string" && expression !== null && template.trim() === expression;
}

/** A list of texts or numbers can be used as one text. */
function joinedNode({ step, path, key, expression, shape, value }: DataNode): DataNode | null {
  if (expression === null || !holdsOnlyScalars(shape, value)) return null;
  const joined = `{{join(${writePath(step.name, path)})}}`;
  return {
    key: `${key} each`,
    label: "each",
    step,
    path,
    expression: joined,
    shape: UNKNOWN,
    value: value === undefined ? undefined : resolveOrUndefined(joined, step),
    type: "string",
    description: "All items as one comma-separated string",
    hasChildren: false,
  };
}

function holdsOnlyScalars(shape: Shape, value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.length > 0 && value.length <= LIMITS.loopIterations && value.every((item) => typeof item !== "object");
  }
  return value === undefined && membersOf(shapeAt(shape, 0)).every(({ kind }) => kind === "scalar");
}

function resolveOrUndefined(template: string, { name, value }: DataStep): unknown {
  try {
    return resolveTemplate(template, { [name]: value });
  } catch {
    return undefined;
  }
}

interface Described {
  label: string;
  shape: Shape;
  value: unknown;
  description: string;
}

function createNode(step: DataStep, path: DataPath, key: string, described: Described): DataNode {
  const { shape, value } = described;
  return {
    ...described,
    key,
    step,
    path,
    expression: expressionAt(step, path),
    type: typeOfShape(shape) ?? typeOf(value),
    hasChildren: hasChildren(shape, value),
  };
}

/** Returns the expression that reads a path of a step's data, or null if none can. */
export function expressionAt(step: DataStep, path: DataPath): string | null {
  const isReadable = path.length <= LIMITS.jsonDepth && path.every(canWriteKey);
  return isReadable ? writeExpression(step.name, path) : null;
}

/** A known value decides; without one, the declaration. */
function hasChildren(shape: Shape, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0 || declaredFields(shape).size > 0;
  if (value !== undefined && value !== null) return false;
  return declaredFields(shape).size > 0 || membersOf(shape).some(isKnownList);
}

function isList(shape: Shape, value: unknown): boolean {
  if (value !== undefined && value !== null) return Array.isArray(value);
  return declaredFields(shape).size === 0 && membersOf(shape).some(isKnownList);
}

function isKnownList(shape: Shape): boolean {
  return shape.kind === "array" && shape.items.kind !== "unknown";
}

function declaredFields(shape: Shape): ReadonlyMap<string, ShapeField> {
  const objects = membersOf(shape).flatMap((member) => (member.kind === "object" ? [...member.fields] : []));
  return new Map(objects);
}

function shapeAt(shape: Shape, key: string | number): Shape {
  const result = readPath(shape, [key]);
  return result.kind === "found" ? result.shape : UNKNOWN;
}

function typeOf(value: unknown): string {
  if (value === undefined) return "any";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
