import type { Definition, GraphNode } from "#lib/contract/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { Point } from "@/components/canvas/document/dimensions";

/** The name of the outermost frame: the workflow itself. */
export const ROOT = "";

/** Which node is in which frame: loops are frames that hold other nodes. */
export interface Frames {
  /** The loop that holds a node, by the node's id; ROOT in the workflow itself. */
  frameOf: ReadonlyMap<string, string>;
  /** What a frame holds, in the definition's order. */
  bodyOf: ReadonlyMap<string, readonly GraphNode[]>;
  /** ROOT and every loop, each before the loops inside it. */
  outerFirst: readonly string[];
}

const known = new WeakMap<Definition, Frames>();

/**
 * The frames of a definition. A draft from elsewhere may name a parent that is no loop, or one that goes round: such nodes
 * belong to the workflow itself, where validation points at them.
 */
export function framesOf(definition: Definition): Frames {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const frameOf = new Map([...nodes.keys()].map((id) => [id, findFrame(nodes, id)]));
  const bodyOf = new Map<string, GraphNode[]>([[ROOT, []]]);
  for (const node of nodes.values()) if (STEP_KINDS[node.type].holdsBody) bodyOf.set(node.id, []);
  for (const node of nodes.values()) bodyOf.get(frameOf.get(node.id) ?? ROOT)?.push(node);
  const outerFirst = [ROOT];
  for (const frame of outerFirst) {
    for (const node of bodyOf.get(frame) ?? []) if (bodyOf.has(node.id)) outerFirst.push(node.id);
  }
  const frames = { frameOf, bodyOf, outerFirst };
  known.set(definition, frames);
  return frames;
}

function findFrame(nodes: ReadonlyMap<string, GraphNode>, id: string): string {
  const parent = nodes.get(nodes.get(id)?.parentId ?? ROOT);
  if (parent === undefined || !STEP_KINDS[parent.type].holdsBody) return ROOT;
  const seen = new Set([id]);
  for (let above: GraphNode | undefined = parent; above !== undefined; above = nodes.get(above.parentId ?? ROOT)) {
    if (seen.has(above.id)) return ROOT;
    seen.add(above.id);
  }
  return parent.id;
}

export function frameOfNode(definition: Definition, nodeId: string): string {
  return framesOf(definition).frameOf.get(nodeId) ?? ROOT;
}

/** The loops around a node, the nearest first. */
export function loopsAround(definition: Definition, nodeId: string): string[] {
  const loops: string[] = [];
  for (let id = frameOfNode(definition, nodeId); id !== ROOT; id = frameOfNode(definition, id)) loops.push(id);
  return loops;
}

/** These nodes and everything inside the loops among them. */
export function withBodies(definition: Definition, nodeIds: Iterable<string>): Set<string> {
  const { bodyOf } = framesOf(definition);
  const all = new Set(nodeIds);
  // A set hands out what is added while it is walked.
  for (const id of all) for (const node of bodyOf.get(id) ?? []) all.add(node.id);
  return all;
}

/** Returns those of the nodes that are inside none of the others. */
export function outermostOf(definition: Definition, nodeIds: ReadonlySet<string>): Set<string> {
  return new Set([...nodeIds].filter((id) => !loopsAround(definition, id).some((loop) => nodeIds.has(loop))));
}

/** Where a frame's inside begins on the canvas: a node's position counts from there. */
export function originOf(definition: Definition, frame: string): Point {
  const origin = { x: 0, y: 0 };
  if (frame === ROOT) return origin;
  const { nodes } = definition;
  for (const id of [frame, ...loopsAround(definition, frame)]) {
    const position = nodes.find((node) => node.id === id)?.position;
    origin.x += position?.x ?? 0;
    origin.y += position?.y ?? 0;
  }
  return origin;
}

/** Returns a node's position on the canvas, whatever loops it is in. */
export function placeOf(definition: Definition, node: GraphNode): Point {
  const origin = originOf(definition, frameOfNode(definition, node.id));
  return { x: origin.x + node.position.x, y: origin.y + node.position.y };
}
