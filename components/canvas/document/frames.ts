import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { Point } from "@/components/canvas/document/dimensions";

/** Name of the outermost frame: the workflow itself. */
export const ROOT = "";

/** Maps nodes to frames. Loops are frames that contain other nodes. */
export interface Frames {
  /** The id of the loop that contains a node; ROOT for nodes outside all loops. */
  frameOf: ReadonlyMap<string, string>;
  /** The nodes in a frame, in the definition's order. */
  bodyOf: ReadonlyMap<string, readonly GraphNode[]>;
  /** ROOT and every loop, each before the loops inside it. */
  outerFirst: readonly string[];
}

const known = new WeakMap<Definition, Frames>();

/**
 * Returns the frames of a definition. A draft from elsewhere may name a parent that isn't a loop, or parents that form
 * a cycle. Those nodes belong to the workflow itself, where validation reports them.
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

/** Returns the loops around a node, innermost first. */
export function loopsAround(definition: Definition, nodeId: string): string[] {
  const loops: string[] = [];
  for (let id = frameOfNode(definition, nodeId); id !== ROOT; id = frameOfNode(definition, id)) loops.push(id);
  return loops;
}

/** Returns these nodes and everything inside the loops among them. */
export function withBodies(definition: Definition, nodeIds: Iterable<string>): Set<string> {
  const { bodyOf } = framesOf(definition);
  const all = new Set(nodeIds);
  // A set iterates over elements that are added during the iteration.
  for (const id of all) for (const node of bodyOf.get(id) ?? []) all.add(node.id);
  return all;
}

/** Returns the nodes that are inside none of the others. */
export function outermostOf(definition: Definition, nodeIds: ReadonlySet<string>): Set<string> {
  return new Set([...nodeIds].filter((id) => !loopsAround(definition, id).some((loop) => nodeIds.has(loop))));
}

/** Returns the canvas position of a frame's inner origin; node positions inside the frame are relative to it. */
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

/** Returns a node's position on the canvas, regardless of the loops around it. */
export function placeOf(definition: Definition, node: GraphNode): Point {
  const origin = originOf(definition, frameOfNode(definition, node.id));
  return { x: origin.x + node.position.x, y: origin.y + node.position.y };
}
