import { CARD_WIDTH, type Size } from "@/components/canvas/dimensions";
import { moveNodes } from "@/components/canvas/document/edit-data";
import { connect } from "@/components/canvas/editor/canvas-actions";
import type { CanvasEdge, CanvasNode } from "@/components/canvas/editor/project-definition";
import type { EdgeChange, FinalConnectionState, NodeChange } from "@/components/canvas/flow";
import type { EditorStore } from "@/components/canvas/store/editor-store";

/** A line dropped on a card counts as dropped on its port; dropped on the empty canvas it asks what to add there. */
export function finishConnection(
  editor: EditorStore,
  state: FinalConnectionState,
  screen: { x: number; y: number },
  toCanvas: (point: { x: number; y: number }) => { x: number; y: number },
): void {
  const source = state.fromNode?.id;
  if (source === undefined || state.fromHandle?.type !== "source") return;
  const sourceHandle = state.fromHandle.id ?? null;
  const element = document.elementFromPoint(screen.x, screen.y);
  const target = state.toNode?.id ?? element?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
  if (target === source) return;
  if (target !== undefined) {
    connect(editor, { source, sourceHandle, target });
    return;
  }
  const { x, y } = toCanvas(screen);
  const position = { x: x - CARD_WIDTH / 2, y };
  editor.getState().openPicker({ spot: { kind: "after", source, sourceHandle, position }, anchor: screen });
}

/** Places and sizes while they change; the document hears of a move when the pointer lets go. */
export function applyNodeChanges(editor: EditorStore, changes: NodeChange<CanvasNode>[]): void {
  const { definition, dragPositions, edit, drag, measure } = editor.getState();
  const measured: Record<string, Size> = {};
  const moving: Record<string, { x: number; y: number }> = {};
  const dropped: Record<string, { x: number; y: number }> = {};
  for (const change of changes) {
    if (change.type === "dimensions" && change.dimensions !== undefined) measured[change.id] = change.dimensions;
    if (change.type !== "position") continue;
    const position = change.position ?? dragPositions[change.id];
    if (position === undefined) continue;
    if (change.dragging === true) moving[change.id] = position;
    else dropped[change.id] = position;
  }
  if (Object.keys(measured).length > 0) measure(measured);
  if (Object.keys(moving).length > 0) drag({ ...dragPositions, ...moving });
  if (Object.keys(dropped).length > 0) {
    drag({});
    edit(moveNodes(definition, dropped));
  }
  applySelection(editor, changes, "node");
}

export function applySelection(
  editor: EditorStore,
  changes: readonly (NodeChange<CanvasNode> | EdgeChange<CanvasEdge>)[],
  what: "node" | "edge",
): void {
  const state = editor.getState();
  const chosen = new Set(what === "node" ? state.selectedNodeIds : state.selectedEdgeIds);
  let hasChanged = false;
  for (const change of changes) {
    if (change.type !== "select") continue;
    hasChanged = true;
    if (change.selected) chosen.add(change.id);
    else chosen.delete(change.id);
  }
  if (!hasChanged) return;
  const nodeIds = what === "node" ? [...chosen] : state.selectedNodeIds;
  state.select(nodeIds, what === "edge" ? [...chosen] : state.selectedEdgeIds);
}
