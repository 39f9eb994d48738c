import type { Connection } from "#lib/core/graph/edits/create-edge";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { formatCount } from "#lib/support/format/format-number";
import { newNoteId } from "@/components/canvas/actions/note-actions";
import { offerUndo } from "@/components/canvas/actions/offer-undo";
import { duplicateNotes, isNoteId, moveNotes, removeNotes } from "@/components/canvas/document/canvas-notes";
import { connectionRefusal, connectNodes } from "@/components/canvas/document/connect-nodes";
import { GRID, type Point } from "@/components/canvas/document/dimensions";
import { moveNodes } from "@/components/canvas/document/edit-data";
import { frameOfNode, outermostOf, withBodies } from "@/components/canvas/document/frames";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { removeElements } from "@/components/canvas/document/remove-nodes";
import { duplicateNodes } from "@/components/canvas/layout/duplicate-nodes";
import { fitFrames } from "@/components/canvas/layout/fit-frames";
import { followResult } from "@/components/canvas/layout/follow-result";
import { insertNode, type NewStep } from "@/components/canvas/layout/insert-node";
import { crossingRefusal, dropNodes, frameUnder, moveToFrame } from "@/components/canvas/layout/move-across";
import { startCallable } from "@/components/canvas/layout/starter";
import type { CanvasEditor, EditorStore } from "@/components/canvas/store/editor-store";
import { toast } from "@/components/ui/toast";

/** All edits that a user can make to the drawing, from the mouse, the keyboard, the menu or the outline. */

export function insertAt(editor: EditorStore, step: NewStep, spot: InsertSpot): string {
  const { definition, sizes, orientation, edit, openFresh } = editor.getState();
  const insertion = insertNode(definition, step, spot, sizes, orientation);
  const added = insertion.definition.nodes.find(({ id }) => id === insertion.nodeId);
  edit(added === undefined ? insertion.definition : followResult(insertion.definition, added));
  openFresh(insertion.nodeId);
  return insertion.nodeId;
}

/** Draws the connection, or shows why it can't be drawn. */
export function connect(editor: EditorStore, connection: Connection): void {
  const { definition, edit } = editor.getState();
  const refusal = connectionRefusal(definition, connection);
  if (refusal === null) edit(connectNodes(definition, connection));
  else toast.message(refusal);
}

export function deleteSelection(editor: EditorStore): void {
  const { definition, notes, selectedNodeIds, selectedEdgeIds, selectedNoteIds, edit, isReadOnly } = editor.getState();
  if (isReadOnly) return;
  const hasElements = selectedNodeIds.length + selectedEdgeIds.length > 0;
  if (!hasElements && selectedNoteIds.length === 0) return;
  const count = withBodies(definition, selectedNodeIds).size;
  const rest = hasElements
    ? removeElements(definition, new Set(selectedNodeIds), new Set(selectedEdgeIds))
    : definition;
  edit(rest, { select: [], notes: removeNotes(notes, selectedNoteIds) });
  const what = [...countOf(count, "step"), ...countOf(selectedNoteIds.length, "note")].join(" and ");
  if (what === "") return;
  offerUndo(editor, `${what.charAt(0).toUpperCase()}${what.slice(1)} deleted.`);
}

function countOf(count: number, noun: string): string[] {
  if (count === 0) return [];
  return [count === 1 ? noun : formatCount(count, noun)];
}

export function selectAll(editor: EditorStore): void {
  const { definition, notes, select } = editor.getState();
  select(
    definition.nodes.map((node) => node.id),
    [],
    notes.map((note) => note.id),
  );
}

export function deleteEdge(editor: EditorStore, edgeId: string): void {
  const { definition, edit } = editor.getState();
  edit(removeElements(definition, new Set(), new Set([edgeId])));
}

export function duplicateSelection(editor: EditorStore): void {
  const { definition, notes, selectedNodeIds, selectedNoteIds, sizes, orientation, edit, select, isReadOnly } =
    editor.getState();
  if (isReadOnly) return;
  const copies = duplicateNotes(notes, selectedNoteIds, newNoteId);
  const copy =
    selectedNodeIds.length === 0
      ? { definition, nodeIds: [] }
      : duplicateNodes(definition, new Set(selectedNodeIds), sizes, orientation);
  if (selectedNodeIds.length > 0 && copy.nodeIds.length === 0)
    toast.message("A workflow can have only one step of this kind.");
  if (copy.nodeIds.length + copies.length === 0) return;
  edit(copy.definition, copies.length === 0 ? {} : { notes: [...notes, ...copies] });
  select(
    copy.nodeIds,
    [],
    copies.map(({ id }) => id),
  );
}

/** Moves the selection by whole grid steps; the body of a selected loop moves with it. */
export function nudgeSelection(
  editor: EditorStore,
  { columns, rows }: { columns: number; rows: number },
  steps = 1,
): void {
  const { definition, notes, selectedNodeIds, selectedNoteIds, sizes, orientation, edit } = editor.getState();
  const moved = outermostOf(definition, new Set(selectedNodeIds));
  const nudged = ({ id, position: { x, y } }: { id: string; position: Point }) =>
    [id, { x: x + columns * steps * GRID, y: y + rows * steps * GRID }] as const;
  const positions = Object.fromEntries(definition.nodes.filter((node) => moved.has(node.id)).map(nudged));
  const notePositions = Object.fromEntries(notes.filter(({ id }) => selectedNoteIds.includes(id)).map(nudged));
  const next = moved.size === 0 ? definition : fitFrames(moveNodes(definition, positions), { sizes, orientation });
  edit(next, { burst: "nudge", notes: moveNotes(notes, notePositions) });
}

/** Drops cards after a drag. Over a loop they go into it; outside their own loop they leave it. */
export function dropSelection(editor: EditorStore, positions: Readonly<Record<string, Point>>): void {
  const { definition, notes, sizes, orientation, edit } = editor.getState();
  const view = { sizes, orientation };
  const [nodeId, ...others] = Object.keys(positions).filter((id) => !isNoteId(id));
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  const { definition: dropped, cutEdges } = dropNodes(definition, positions, view);
  edit(dropped, { notes: moveNotes(notes, positions) });
  tellCutEdges(cutEdges);
  if (node === undefined || others.length > 0) return;
  const frame = frameUnder(definition, node, positions[node.id] ?? node.position, view);
  const refusal = frame === frameOfNode(definition, node.id) ? null : crossingRefusal(definition, node.id, frame);
  if (refusal !== null) toast.message(refusal);
}

/** Moves a step into a loop, or out of all loops for ROOT. */
export function moveInto(editor: EditorStore, nodeId: string, frame: string): void {
  const { definition, sizes, orientation, edit } = editor.getState();
  const refusal = crossingRefusal(definition, nodeId, frame);
  if (refusal !== null) {
    toast.message(refusal);
    return;
  }
  const { definition: moved, cutEdges } = moveToFrame(definition, nodeId, frame, { sizes, orientation });
  edit(moved);
  tellCutEdges(cutEdges);
}

function tellCutEdges(count: number): void {
  if (count === 0) return;
  const what = count === 1 ? "A line was removed" : `${formatCount(count, "line")} were removed`;
  toast.message(`${what}: lines can't cross the border of a loop.`);
}

const GLIDE_MS = 220;

/**
 * Lays out everything again as one undo step; cards glide to their places. The layout code is loaded on first use.
 * @param view if it differs from the editor's
 */
export async function tidy(editor: EditorStore, view?: Pick<CanvasEditor, "sizes" | "orientation">): Promise<void> {
  const { tidyLayout } = await import("@/components/canvas/layout/tidy");
  const { definition, edit, glide } = editor.getState();
  const { sizes, orientation } = view ?? editor.getState();
  glide(true);
  edit(tidyLayout(definition, sizes, orientation), { orientation });
  setTimeout(() => glide(false), GLIDE_MS);
}

export function startCallableWorkflow(editor: EditorStore): void {
  const { definition, edit, openFresh } = editor.getState();
  const started = startCallable(definition);
  edit(started);
  const input = started.nodes.find((node) => STEP_KINDS[node.type].starts === "callable");
  if (input !== undefined) openFresh(input.id);
}
