import { LIMITS } from "#lib/contract/limits";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { createEdge } from "#lib/core/graph/edits/create-edge";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";
import type { StepClip } from "@/components/canvas/document/clip/step-clip";
import { CARD_WIDTH, NODE_GAP, type Point, type Sizes } from "@/components/canvas/document/dimensions";
import { replaceAt } from "@/components/canvas/document/edit-data";
import { framesOf, ROOT } from "@/components/canvas/document/frames";
import { chooseIds, copyInside } from "@/components/canvas/layout/duplicate-nodes";
import { snapPoint } from "@/components/canvas/layout/find-room";
import { nodeSize } from "@/components/canvas/layout/node-size";

export interface Pasting {
  definition: Definition;
  /** The pasted steps that are inside no other pasted step. */
  nodeIds: string[];
  /** A start step that was not pasted, because the workflow already has one. */
  leftOut: GraphNode | null;
  /** Copies of the notes, as many as fit. */
  notes: CanvasNote[];
  /** Number of steps that lost their connection, because it belongs to another workspace. */
  cutConnections: number;
}

interface Target {
  definition: Definition;
  workspaceId: string;
  /** The center of the pasted group on the canvas. */
  at: Point;
  sizes: Sizes;
  orientation?: Orientation;
  /** Number of notes already in the workflow. */
  noteCount: number;
  newNoteId: () => string;
}

/**
 * Returns the definition with the steps of the clip. They get new ids, keep the lines and references among them, and
 * are centered at the wanted point or as near to its right as there is room. Null when the workflow can't hold that
 * many steps.
 */
export function pasteNodes({ definition: clip, notes, workspaceId }: StepClip, target: Target): Pasting | null {
  const { definition } = target;
  const entry = definition.nodes.find((node) => !STEP_KINDS[node.type].hasInput);
  const isSecondEntry = (node: GraphNode) => entry !== undefined && !STEP_KINDS[node.type].hasInput;
  const originals = clip.nodes.filter((node) => !isSecondEntry(node));
  if (definition.nodes.length + originals.length > LIMITS.graphNodes) return null;
  const names = chooseIds(definition, originals);
  const isForeign = workspaceId !== target.workspaceId;
  const outermost = originals.filter((node) => node.parentId === undefined || !names.has(node.parentId));
  const shift = findShift({ ...clip, nodes: originals }, { outermost, notes }, target);
  const copies = originals.map((node) => {
    const copy = copyInside(node, names);
    const data = isForeign ? replaceAt(copy.data, ["connection_id"], undefined) : copy.data;
    const { parentId: _frame, ...free } = copy;
    const standing = outermost.includes(node) ? { ...free, position: shift(node.position) } : copy;
    return { ...standing, data: data as GraphNode["data"] };
  });
  const leftOut = clip.nodes.find(isSecondEntry) ?? null;
  const edges = [...definition.edges];
  for (const edge of clip.edges) {
    // The targets of the start step that was not pasted become targets of the workflow's own start step.
    const source = edge.source === leftOut?.id ? entry?.id : names.get(edge.source);
    const to = names.get(edge.target);
    if (source !== undefined && to !== undefined) {
      edges.push(createEdge(edges, { source, target: to, sourceHandle: edge.sourceHandle }));
    }
  }
  return {
    definition: copies.length === 0 ? definition : { nodes: [...definition.nodes, ...copies], edges },
    nodeIds: outermost.flatMap((node) => names.get(node.id) ?? []),
    leftOut,
    notes: notes
      .slice(0, LIMITS.canvasNotes - target.noteCount)
      .map((note) => ({ ...note, id: target.newNoteId(), position: shift(note.position) })),
    cutConnections: isForeign ? originals.filter((node) => typeof node.data.connection_id === "string").length : 0,
  };
}

/** Moves the group as a whole to the right until it covers no other node. */
function findShift(
  clip: Definition,
  { outermost, notes }: { outermost: readonly GraphNode[]; notes: readonly CanvasNote[] },
  { definition, sizes, orientation, at }: Target,
): (point: Point) => Point {
  const boxes = outermost.map((node) => ({ ...node.position, ...nodeSize(clip, node, {}, orientation) }));
  const group = [...boxes, ...notes.map(({ position, width, height }) => ({ ...position, width, height }))];
  const left = Math.min(...group.map((box) => box.x));
  const top = Math.min(...group.map((box) => box.y));
  const right = Math.max(...group.map((box) => box.x + box.width));
  const bottom = Math.max(...group.map((box) => box.y + box.height));
  const move = snapPoint({ x: at.x - (left + right) / 2, y: at.y - (top + bottom) / 2 });
  const others = (framesOf(definition).bodyOf.get(ROOT) ?? []).map((node) => ({
    ...node.position,
    ...nodeSize(definition, node, sizes, orientation),
  }));
  const covers = () =>
    boxes.some((box) =>
      others.some(
        (other) =>
          box.x + move.x < other.x + other.width &&
          other.x < box.x + move.x + box.width &&
          box.y + move.y < other.y + other.height &&
          other.y < box.y + move.y + box.height,
      ),
    );
  while (covers()) move.x += CARD_WIDTH + NODE_GAP;
  return ({ x, y }) => snapPoint({ x: x + move.x, y: y + move.y });
}

/**
 * Returns the definition with the fields of another Action Input that its own lacks, or the same definition when it
 * lacks none.
 */
export function mergeInputFields(definition: Definition, from: GraphNode): Definition {
  const own = definition.nodes.find((node) => STEP_KINDS[node.type].starts === "callable");
  if (own === undefined || STEP_KINDS[from.type].starts !== "callable") return definition;
  const listOf = (node: GraphNode) => (Array.isArray(node.data.properties) ? node.data.properties : []);
  const nameOf = (item: unknown) => (isJsonObject(item) ? item.name : undefined);
  const known = new Set(listOf(own).map(nameOf));
  const added = listOf(from).filter((item) => !known.has(nameOf(item)));
  if (added.length === 0) return definition;
  const properties = [...listOf(own), ...added];
  const nodes = definition.nodes.map((node) => (node === own ? { ...own, data: { ...own.data, properties } } : node));
  return { ...definition, nodes };
}
