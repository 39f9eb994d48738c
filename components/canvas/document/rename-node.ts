import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { changeNodeId } from "#lib/core/graph/edits/rewrite-references";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { nextFreeName } from "#lib/support/format/next-free-name";
import { idFromName, isAutomaticId } from "@/components/canvas/document/node-ids";

interface Renaming {
  definition: Definition;
  nodeId: string;
}

/**
 * Returns the node with a new name. An automatic id follows the name, and expressions follow the id, so that people
 * read `{{create_refund.status}}` instead of `{{http_request_2.status}}`.
 */
export function renameNode(definition: Definition, nodeId: string, name: string): Renaming {
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  const label = name.trim();
  if (node === undefined || label === nodeLabel(node)) return { definition, nodeId };
  const named = {
    ...definition,
    nodes: definition.nodes.map((other) => (other === node ? { ...node, data: { ...node.data, name: label } } : other)),
  };
  const nextId = followingId(definition, node, label);
  return { definition: changeNodeId(named, nodeId, nextId), nodeId: nextId };
}

function followingId(definition: Definition, node: GraphNode, name: string): string {
  const kind = STEP_KINDS[node.type];
  // Expressions refer to the entry node by its type, so its id is never shown.
  if (!kind.hasInput) return node.id;
  const bases = [kind.baseId, idFromName(nodeLabel(node))].filter((base) => base !== "");
  if (!bases.some((base) => isAutomaticId(node.id, base))) return node.id;
  const taken = new Set(definition.nodes.filter((other) => other !== node).map((other) => other.id));
  return nextFreeName(idFromName(name) || kind.baseId, taken);
}

/** Returns what is known by node id after a node got another id. A record that does not know the node stays the same object. */
export function followId<T>(
  byId: Readonly<Record<string, T>>,
  fromId: string,
  toId: string,
): Readonly<Record<string, T>> {
  const { [fromId]: known, ...others } = byId;
  return known === undefined ? byId : { ...others, [toId]: known };
}
