import { ApiError, type FieldError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { type Connection, createEdge, isSameWay } from "#lib/core/graph/edits/create-edge";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { changeNodeId } from "#lib/core/graph/edits/rewrite-references";
import { assertNever } from "#lib/support/assert-never";
import { formatBytes } from "#lib/support/format/format-number";
import { isJsonObject, leastJsonBytes, setOwn } from "#lib/support/json";
import { listSuggestions } from "#lib/support/list-suggestions";

/** Thrown if an operation cannot be applied. Contains the invalid field and an explanation of what to do. */
class Refusal extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Applies the operations in order; if one fails, none is applied. The result does not have to be publishable, but every
 * edge connects two existing nodes and every id is unique.
 * @throws ApiError BAD_REQUEST whose `details` name the index of the operation and its field, or without them if all
 * operations together would take too long
 */
export function applyGraphOperations(definition: Definition, operations: readonly GraphOperation[]): Definition {
  assertEditWork(definition, operations);
  return operations.reduce((before, operation, index) => {
    try {
      return apply(before, operation);
    } catch (thrown) {
      throw thrown instanceof Refusal ? badOperation(index, operation, thrown) : thrown;
    }
  }, definition);
}

function badOperation(index: number, { op }: GraphOperation, { field, message }: Refusal): ApiError {
  const detail: FieldError = {
    field: `operations.${index}.${field}`,
    pointer: `/operations/${index}/${field.replaceAll(".", "/")}`,
    code: "invalid_operation",
    message,
  };
  return new ApiError("BAD_REQUEST", `operations.${index} (${op}), ${field}: ${message}. Nothing was changed.`, {
    details: [detail],
  });
}

function apply(definition: Definition, operation: GraphOperation): Definition {
  switch (operation.op) {
    case "add_node":
      return addNode(definition, operation.node);
    case "update_node":
      return updateNode(definition, operation);
    case "rename_node":
      findNode(definition, "node_id", operation.node_id);
      assertFree(definition, "new_id", operation.new_id);
      return changeNodeId(definition, operation.node_id, operation.new_id);
    case "remove_node":
      return removeNode(definition, operation.node_id);
    case "add_edge":
      return addEdge(definition, operation);
    case "remove_edge":
      return removeEdge(definition, operation);
    default:
      return assertNever(operation);
  }
}

function findNode(definition: Definition, field: string, id: string): GraphNode {
  const node = definition.nodes.find((candidate) => candidate.id === id);
  if (node) return node;
  const ids = definition.nodes.map((candidate) => candidate.id);
  throw new Refusal(field, `there is no node "${id}"${listSuggestions(id, ids, "the nodes are").words}`);
}

function assertFree(definition: Definition, field: string, id: string): void {
  if (definition.nodes.some((node) => node.id === id)) throw new Refusal(field, `the node "${id}" already exists`);
}

function addNode(definition: Definition, node: GraphNode): Definition {
  assertFree(definition, "node.id", node.id);
  if (definition.nodes.length >= LIMITS.graphNodes) {
    throw new Refusal("node", `a workflow can have at most ${LIMITS.graphNodes} nodes`);
  }
  return { ...definition, nodes: [...definition.nodes, node] };
}

function updateNode(definition: Definition, operation: GraphOperation & { op: "update_node" }): Definition {
  const node = findNode(definition, "node_id", operation.node_id);
  const { parentId: parentBefore, ...rest } = node;
  if (operation.parentId) findNode(definition, "parentId", operation.parentId);
  const parentId = operation.parentId ?? parentBefore;
  const updated: GraphNode = {
    ...rest,
    position: operation.position ?? node.position,
    data: operation.data ? mergeData(node.data, operation.data) : node.data,
    ...(parentId ? { parentId } : {}),
  };
  return { ...definition, nodes: definition.nodes.map((other) => (other === node ? updated : other)) };
}

/** Removes a node. A loop is removed with its body, because nothing else could contain it. */
function removeNode(definition: Definition, nodeId: string): Definition {
  findNode(definition, "node_id", nodeId);
  const removed = new Set([nodeId]);
  // Iterating a Set includes entries added during the iteration, so nested bodies are found too.
  for (const id of removed) for (const node of definition.nodes) if (node.parentId === id) removed.add(node.id);
  return {
    nodes: definition.nodes.filter((node) => !removed.has(node.id)),
    edges: definition.edges.filter((edge) => !removed.has(edge.source) && !removed.has(edge.target)),
  };
}

function addEdge(definition: Definition, connection: Connection): Definition {
  findNode(definition, "source", connection.source);
  findNode(definition, "target", connection.target);
  if (definition.edges.some((edge) => isSameWay(edge, connection))) {
    throw new Refusal("target", `${describe(connection)} already exists`);
  }
  if (definition.edges.length >= LIMITS.graphEdges) {
    throw new Refusal("target", `a workflow can have at most ${LIMITS.graphEdges} edges`);
  }
  return { ...definition, edges: [...definition.edges, createEdge(definition.edges, connection)] };
}

function removeEdge(definition: Definition, connection: Connection): Definition {
  const edges = definition.edges.filter((edge) => !isSameWay(edge, connection));
  if (edges.length < definition.edges.length) return { ...definition, edges };
  findNode(definition, "source", connection.source);
  findNode(definition, "target", connection.target);
  const others = definition.edges.filter((edge) => edge.source === connection.source).map(describe);
  const hint = others.length > 0 ? `; the edges are: ${others.slice(0, 30).join("; ")}` : "";
  throw new Refusal("target", `there is no ${describe(connection)}${hint}`);
}

function describe({ source, sourceHandle, target }: Connection): string {
  return `edge from ${source} to ${target}${sourceHandle ? ` with the handle ${sourceHandle}` : ""}`;
}

/**
 * Applies a JSON Merge Patch (RFC 7396): objects are merged key by key, null removes a key, everything else is
 * replaced. Neither argument is changed.
 */
function mergeData(data: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = {};
  for (const [key, value] of Object.entries(data)) if (!Object.hasOwn(patch, key)) setOwn(merged, key, value);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) continue;
    const before = Object.hasOwn(data, key) ? data[key] : undefined;
    setOwn(merged, key, isJsonObject(value) ? mergeData(isJsonObject(before) ? before : {}, value) : value);
  }
  return merged;
}

/**
 * Refuses operations that together would read too much of the definition, before the first one is applied: renaming a
 * node reads every text of the workflow, and changing a node copies its data.
 * @throws ApiError BAD_REQUEST
 */
function assertEditWork(definition: Definition, operations: readonly GraphOperation[]): void {
  const max = LIMITS.graphEditBytes;
  const sizes = new Map(definition.nodes.map((node) => [node.id, leastJsonBytes(node.data, max)]));
  const whole = leastJsonBytes(definition, max) + leastJsonBytes(operations, max);
  let bytes = 0;
  for (const operation of operations) {
    if (operation.op === "rename_node") bytes += whole;
    // A node that an earlier operation added or renamed can have as much data as the whole request.
    if (operation.op === "update_node") bytes += sizes.get(operation.node_id) ?? whole;
    if (bytes > max) throw tooMuch();
  }
}

function tooMuch(): ApiError {
  const limit = formatBytes(LIMITS.graphEditBytes);
  const message = `These operations would read more than ${limit} of the workflow. Send fewer rename_node and update_node operations at once, or the changed definition. Nothing was changed.`;
  return new ApiError("BAD_REQUEST", message);
}
