import { type BuildFinding, BuildRefused, below, toFinding } from "#lib/connectors/custom/custom-definition";
import { resolveReference } from "#lib/connectors/custom/resolve-reference";
import { BUILD_LIMITS, type DocumentSummary, METHODS, type Method } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";

/** The tag of operations that have none. */
const UNTAGGED = "untagged";
const NAME_CHARACTERS = 90;
const TAG_CHARACTERS = 100;
const TAGS_PER_OPERATION = 20;
const PATH_DEPTH_MAX = 6;
/** The methods of OpenAPI that are none of `METHODS`. */
const OTHER_METHODS = ["trace", "query"];

/** An operation of a document that has not been read further. */
export interface ListedOperation {
  /** Unique in the document, whichever operations are chosen. */
  name: string;
  method: Method;
  path: string;
  item: JsonObject;
  operation: JsonObject;
  pointer: string;
  tags: string[];
}

interface Names {
  taken: Set<string>;
  /** The last number of each name: a document can repeat one name for all of its operations. */
  last: Map<string, number>;
}

export interface OperationList {
  listed: ListedOperation[];
  /** Why some paths have no operations. */
  faults: BuildFinding[];
}

/** Lists the operations of an OpenAPI document in its order. */
export function listOperations(document: JsonObject): OperationList {
  const paths = isJsonObject(document.paths) ? document.paths : {};
  const names: Names = { taken: new Set(), last: new Map() };
  const faults: BuildFinding[] = [];
  const listed = Object.entries(paths).flatMap(([path, raw]) => {
    const at = below("/paths", path);
    const item = path.startsWith("/") ? followItem(document, raw, at, faults) : null;
    if (!item) return [];
    faults.push(...unsupportedMethods(item, at));
    return METHODS.flatMap((method) => {
      const operation = item[method];
      if (!isJsonObject(operation)) return [];
      const name = uniqueName(operation.operationId, method, path, names);
      return [{ name, method, path, item, operation, pointer: below(at, method), tags: tagsOf(operation) }];
    });
  });
  return { listed, faults };
}

/** Counts the operations of each tag, the largest first. */
export function countTags(operations: readonly ListedOperation[]): DocumentSummary["tags"] {
  const counts = new Map<string, number>();
  for (const { tags } of operations) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].map(([tag, count]) => ({ tag, operations: count })).sort((a, b) => b.operations - a.operations);
}

/**
 * Counts the operations below each part of the path that is the first to differ, the largest first. Parts with more
 * operations than a connector can have are split further.
 */
export function countPaths(operations: readonly ListedOperation[]): DocumentSummary["paths"] {
  const counts = groupPaths(
    operations.map(({ path }) => path.split("/")),
    1,
  );
  return counts.sort((a, b) => b.operations - a.operations);
}

function groupPaths(paths: readonly string[][], depth: number): DocumentSummary["paths"] {
  const groups = Map.groupBy(paths, (parts) => parts.slice(0, depth + 1).join("/"));
  return [...groups].flatMap(([path, same]) => {
    const hasMore = same.some((parts) => parts.length > depth + 1);
    if (!hasMore) return [{ path, operations: same.length }];
    if (depth < PATH_DEPTH_MAX && (groups.size === 1 || same.length > BUILD_LIMITS.operations)) {
      return groupPaths(same, depth + 1);
    }
    return [{ path: `${path}/*`, operations: same.length }];
  });
}

function followItem(document: JsonObject, raw: unknown, pointer: string, faults: BuildFinding[]): JsonObject | null {
  try {
    const item = resolveReference(document, raw, pointer);
    if (!isJsonObject(item) || !isJsonObject(raw) || item === raw) return isJsonObject(item) ? item : null;
    // A path can have operations next to its reference.
    const { $ref: _, ...own } = raw;
    return { ...item, ...own };
  } catch (error) {
    if (!(error instanceof BuildRefused)) throw error;
    faults.push({ ...error.finding, severity: "left_out" });
    return null;
  }
}

/** Lists what a path can do with methods that no request of a workflow has. */
function unsupportedMethods(item: JsonObject, pointer: string): BuildFinding[] {
  const { additionalOperations: more } = item;
  const others = Object.keys(isJsonObject(more) ? more : {}).map((method) => [
    method,
    below(pointer, "additionalOperations"),
  ]);
  const known = OTHER_METHODS.filter((method) => isJsonObject(item[method])).map((method) => [method, pointer]);
  return [...known, ...others].map(([method = "", at = pointer]) => {
    const message = `The operation with the method ${method.slice(0, 20).toUpperCase()} was left out, because it can't be sent.`;
    return toFinding("left_out", below(at, method), "method", message);
  });
}

function tagsOf({ tags }: JsonObject): string[] {
  const named = (Array.isArray(tags) ? tags : [])
    .slice(0, TAGS_PER_OPERATION)
    .flatMap((tag) => (typeof tag === "string" && tag.trim() !== "" ? [tag.trim().slice(0, TAG_CHARACTERS)] : []));
  return named.length === 0 ? [UNTAGGED] : [...new Set(named)];
}

/** Names an operation by operationId, or by method and path. A duplicate name gets a number. */
function uniqueName(id: unknown, method: string, path: string, { taken, last }: Names): string {
  const raw = typeof id === "string" && id.trim() !== "" ? id : `${method}_${path}`;
  const base =
    raw
      .slice(0, 500)
      .replace(/[^A-Za-z0-9.-]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, NAME_CHARACTERS) || method;
  let count = last.get(base) ?? 1;
  let name = base;
  while (taken.has(name)) {
    count += 1;
    name = `${base}_${count}`;
  }
  last.set(base, count);
  taken.add(name);
  return name;
}
