import { toast } from "sonner";
import type { NodeType } from "#lib/contract/graph";
import type { Connection } from "#lib/graph/create-edge";
import { GRID } from "@/components/canvas/dimensions";
import { connectionRefusal, connectNodes } from "@/components/canvas/document/connect-nodes";
import { duplicateNodes } from "@/components/canvas/document/duplicate-nodes";
import { moveNodes } from "@/components/canvas/document/edit-data";
import { type InsertSpot, insertNode } from "@/components/canvas/document/insert-node";
import { removeElements } from "@/components/canvas/document/remove-nodes";
import { startCallable } from "@/components/canvas/document/starter";
import type { EditorStore } from "@/components/canvas/store/editor-store";

/** Everything a person does to the drawing, whether by mouse, key, menu or outline. */

export function insertAt(editor: EditorStore, type: NodeType, spot: InsertSpot): string {
  const { definition, sizes, edit, openFresh } = editor.getState();
  const insertion = insertNode(definition, type, spot, sizes);
  edit(insertion.definition);
  openFresh(insertion.nodeId);
  return insertion.nodeId;
}

/** Draws the connection, or says why it may not be. */
export function connect(editor: EditorStore, connection: Connection): void {
  const { definition, edit } = editor.getState();
  const refusal = connectionRefusal(definition, connection);
  if (refusal === null) edit(connectNodes(definition, connection));
  else toast.message(refusal);
}

export function deleteSelection(editor: EditorStore): void {
  const { definition, selectedNodeIds, selectedEdgeIds, edit } = editor.getState();
  if (selectedNodeIds.length + selectedEdgeIds.length === 0) return;
  const count = selectedNodeIds.length;
  edit(removeElements(definition, new Set(selectedNodeIds), new Set(selectedEdgeIds)), { select: [] });
  if (count > 0) {
    toast.message(count === 1 ? "Step deleted." : `${count} steps deleted.`, {
      action: { label: "Undo", onClick: () => editor.getState().undo() },
    });
  }
}

export function deleteNode(editor: EditorStore, nodeId: string): void {
  editor.getState().select([nodeId]);
  deleteSelection(editor);
}

export function deleteEdge(editor: EditorStore, edgeId: string): void {
  const { definition, edit } = editor.getState();
  edit(removeElements(definition, new Set(), new Set([edgeId])));
}

export function duplicateSelection(editor: EditorStore): void {
  const { definition, selectedNodeIds, edit } = editor.getState();
  if (selectedNodeIds.length === 0) return;
  const copy = duplicateNodes(definition, new Set(selectedNodeIds));
  if (copy.nodeIds.length === 0) toast.message("A workflow holds this step once.");
  else edit(copy.definition, { select: copy.nodeIds });
}

/** Moves the selection by whole grid steps. */
export function nudgeSelection(editor: EditorStore, { columns, rows }: { columns: number; rows: number }): void {
  const { definition, selectedNodeIds, edit } = editor.getState();
  const positions = Object.fromEntries(
    definition.nodes
      .filter((node) => selectedNodeIds.includes(node.id))
      .map((node) => [node.id, { x: node.position.x + columns * GRID, y: node.position.y + rows * GRID }]),
  );
  edit(moveNodes(definition, positions), { burst: "nudge" });
}

const GLIDE_MS = 220;

/** Lays everything out anew: one undo step, cards gliding to their places. The layout's code is fetched when first used. */
export async function tidy(editor: EditorStore): Promise<void> {
  const { tidyLayout } = await import("@/components/canvas/document/tidy");
  const { definition, sizes, edit, glide } = editor.getState();
  glide(true);
  edit(tidyLayout(definition, sizes));
  setTimeout(() => glide(false), GLIDE_MS);
}

export function startCallableWorkflow(editor: EditorStore): void {
  const { definition, edit, openFresh } = editor.getState();
  const started = startCallable(definition);
  edit(started);
  const input = started.nodes.find((node) => node.type === "action_input");
  if (input !== undefined) openFresh(input.id);
}
