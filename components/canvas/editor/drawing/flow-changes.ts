import { connect, dropSelection } from "@/components/canvas/actions/canvas-actions";
import { isNoteId } from "@/components/canvas/document/canvas-notes";
import { CARD_WIDTH, type Point, type Size } from "@/components/canvas/document/dimensions";
import { outermostPositions } from "@/components/canvas/document/drag-offsets";
import { frameOfNode, framesOf, outermostOf, ROOT } from "@/components/canvas/document/frames";
import type { CanvasEdge } from "@/components/canvas/editor/drawing/project-definition";
import type { DrawnNode } from "@/components/canvas/editor/drawing/project-notes";
import { snapDrag } from "@/components/canvas/editor/drawing/snap-drag";
import { crossingRefusal, frameUnder } from "@/components/canvas/layout/move-across";
import { pushGrown } from "@/components/canvas/layout/push-grown";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import type { EdgeChange, FinalConnectionState, NodeChange } from "@/components/canvas/view/flow";

/**
 * Handles the end of a drawn line: on a card it connects to the card's port; on the empty canvas it opens the step
 * picker.
 */
export function finishConnection(
  editor: EditorStore,
  state: FinalConnectionState,
  screen: Point,
  toCanvas: (point: Point) => Point,
): void {
  const source = state.fromNode?.id;
  if (source === undefined || state.fromHandle?.type !== "source") return;
  const sourceHandle = state.fromHandle.id ?? null;
  const element = document.elementFromPoint(screen.x, screen.y);
  const target = state.toNode?.id ?? element?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
  if (target === source) return;
  // Inside the source's own loop, the frame counts as empty canvas.
  if (target !== undefined && target !== frameOfNode(editor.getState().definition, source)) {
    connect(editor, { source, sourceHandle, target });
    return;
  }
  const { x, y } = toCanvas(screen);
  const position = { x: x - CARD_WIDTH / 2, y };
  editor.getState().openPicker({ spot: { kind: "after", source, sourceHandle, position }, anchor: screen });
}

/**
 * Applies positions and sizes while they change; the document gets a move only when the pointer is released.
 * @param hand the zoom, and whether the user holds the key that turns snapping off
 */
export function applyNodeChanges(
  editor: EditorStore,
  changes: NodeChange<DrawnNode>[],
  hand: { zoom: number; isFree: boolean },
): void {
  const { definition, dragPositions, drag } = editor.getState();
  const measured: Record<string, Size> = {};
  const positions: { moving: Record<string, Point>; dropped: Record<string, Point> } = { moving: {}, dropped: {} };
  for (const change of changes) {
    // A note's size is set by the user; a card's size depends on its content.
    if (change.type === "dimensions" && change.dimensions !== undefined && !isNoteId(change.id))
      measured[change.id] = change.dimensions;
    if (change.type !== "position") continue;
    const isMoving = change.dragging === true;
    // A card is dropped where it was drawn last, which is not exactly where the pointer is.
    const position = (isMoving ? undefined : dragPositions[change.id]) ?? change.position;
    if (position === undefined) continue;
    positions[isMoving ? "moving" : "dropped"][change.id] = position;
  }
  // React Flow reports both a loop and the nodes that were selected in it.
  const moving = outermostPositions(definition, positions.moving);
  const dropped = outermostPositions(definition, positions.dropped);
  if (Object.keys(measured).length > 0) measureCards(editor, measured);
  if (Object.keys(moving).length > 0) dragTo(editor, { ...dragPositions, ...moving }, hand);
  if (Object.keys(dropped).length > 0) {
    drag({}, null);
    dropSelection(editor, dropped);
  }
  applySelection(editor, changes, "node");
}

/** A card that grows while the user edits, by a footer or a longer summary, pushes away what it would cover. */
function measureCards(editor: EditorStore, measured: Readonly<Record<string, Size>>): void {
  const { definition, sizes: former, orientation, isOwnEdit, isReadOnly, measure, amend } = editor.getState();
  measure(measured);
  if (isReadOnly || !isOwnEdit) return;
  const { sizes } = editor.getState();
  if (Object.entries(measured).every(([id, { height }]) => height === (former[id]?.height ?? height))) return;
  const pushed = pushGrown(definition, former, { sizes, orientation });
  if (pushed !== definition) amend(pushed);
}

/** Most movements of the pointer leave a snapped card where it is; those change nothing. */
function dragTo(
  editor: EditorStore,
  wanted: Readonly<Record<string, Point>>,
  hand: { zoom: number; isFree: boolean },
): void {
  const state = editor.getState();
  const { positions, guides } = snapDrag(state, wanted, hand);
  const isSame = ([id, { x, y }]: [string, Point]) =>
    state.dragPositions[id]?.x === x && state.dragPositions[id]?.y === y;
  if (!Object.entries(positions).every(isSame)) state.drag(positions, findDropFrame(editor, positions), guides);
}

/** Returns the loop that the dragged nodes would move into, or null when they stay in their frame. */
function findDropFrame(editor: EditorStore, moving: Readonly<Record<string, Point>>): string | null {
  const { definition, sizes, orientation } = editor.getState();
  if (framesOf(definition).outerFirst.length === 1) return null;
  for (const id of outermostOf(definition, new Set(Object.keys(moving)))) {
    const node = definition.nodes.find((candidate) => candidate.id === id);
    const position = moving[id];
    if (node === undefined || position === undefined) continue;
    const frame = frameUnder(definition, node, position, { sizes, orientation });
    const isAnother = frame !== ROOT && frame !== frameOfNode(definition, id);
    if (isAnother && crossingRefusal(definition, id, frame) === null) return frame;
  }
  return null;
}

/** Opens the panel of a card that stayed selected when its panel was closed. */
export function reopenPanel(editor: EditorStore, id: string): void {
  const { isPanelOpen, selectedNodeIds, selectedNoteIds, open } = editor.getState();
  const isOnlyOne = selectedNodeIds.length === 1 && selectedNodeIds[0] === id && selectedNoteIds.length === 0;
  if (isOnlyOne && !isPanelOpen) open(id);
}

export function applySelection(
  editor: EditorStore,
  changes: readonly (NodeChange<DrawnNode> | EdgeChange<CanvasEdge>)[],
  what: "node" | "edge",
): void {
  const state = editor.getState();
  const drawn = [...state.selectedNodeIds, ...state.selectedNoteIds];
  const chosen = new Set(what === "node" ? drawn : state.selectedEdgeIds);
  let hasChanged = false;
  for (const change of changes) {
    if (change.type !== "select") continue;
    hasChanged = true;
    if (change.selected) chosen.add(change.id);
    else chosen.delete(change.id);
  }
  if (!hasChanged) return;
  if (what === "edge") {
    state.select(state.selectedNodeIds, [...chosen], state.selectedNoteIds);
    return;
  }
  const noteIds = [...chosen].filter(isNoteId);
  state.select(
    [...chosen].filter((id) => !isNoteId(id)),
    state.selectedEdgeIds,
    noteIds,
  );
}
