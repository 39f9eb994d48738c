import { z } from "zod";
import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { listSuggestions } from "#lib/core/graph/checks/describe-dead-end";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import { renameKey } from "#lib/core/graph/checks/rename-key";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

/**
 * Finds keys in a node's data that nothing reads. A key that is almost the name of a known one is an error, because its
 * value is lost; any other one is a warning.
 */
export function findUnknownKeys(node: GraphNode): GraphProblem[] {
  return walk(STEP_KINDS[node.type].data, node.data, []).map(({ path, known }) => {
    const key = path.at(-1) ?? "";
    const field = path.join(".");
    const { words, certain } = listSuggestions(key, known, { listsAll: false });
    const create = words === "" ? nodeWarning : nodeProblem;
    const problem = create(node, "UNKNOWN_KEY", `${field} is not a setting of this step${words}`, field);
    const fix = certain === null ? null : renamed(node, path, certain);
    return fix === null ? problem : { ...problem, fix };
  });
}

function renamed(node: GraphNode, path: readonly string[], to: string) {
  const [from = "", at] = [path.at(-1), path.slice(0, -1)];
  // Below a list, the whole list is replaced.
  if (!at.some((key) => /^\d+$/.test(key))) return renameKey(node, at, from, to);
  const holder = getPath(node.data, at);
  if (!isJsonObject(holder) || Object.hasOwn(holder, to)) return null;
  return fixValue(node, at.join("."), () => {
    return Object.fromEntries(Object.entries(holder).map(([key, item]) => [key === from ? to : key, item]));
  });
}

interface UnknownKey {
  path: string[];
  known: readonly string[];
}

function walk(schema: z.core.$ZodType, value: unknown, path: string[]): UnknownKey[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return walk(schema.unwrap(), value, path);
  }
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, at) => walk(schema.element, item, [...path, String(at)]));
  }
  const shape = isJsonObject(value) ? shapeOf(schema, value) : null;
  if (shape === null || !isJsonObject(value)) return [];
  const known = Object.keys(shape);
  return Object.entries(value).flatMap(([key, item]) => {
    const inner = Object.hasOwn(shape, key) ? shape[key] : undefined;
    return inner === undefined ? [{ path: [...path, key], known }] : walk(inner, item, [...path, key]);
  });
}

type Keys = Readonly<Record<string, z.core.$ZodType>>;

/** Returns the keys that an object may have; null if any key is allowed, or if its kind is not known. */
function shapeOf(schema: z.core.$ZodType, value: Record<string, unknown>): Keys | null {
  if (schema instanceof z.ZodObject) return schema.def.catchall === undefined ? schema.shape : null;
  if (schema instanceof z.ZodIntersection) {
    const [left, right] = [shapeOf(schema.def.left, value), shapeOf(schema.def.right, value)];
    return left && right ? { ...left, ...right } : null;
  }
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return null;
  const key = schema.def.discriminator;
  const options = schema.def.options.map((option) => shapeOf(option, value));
  return options.find((keys) => isFor(keys?.[key], value[key])) ?? null;
}

function isFor(schema: z.core.$ZodType | undefined, value: unknown): boolean {
  return schema instanceof z.ZodLiteral && schema.values.has(value as never);
}
