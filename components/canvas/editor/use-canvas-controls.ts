import { type RefObject, useEffect, useRef } from "react";
import { addNote } from "@/components/canvas/actions/note-actions";
import { branchesOf } from "@/components/canvas/document/branches-of";
import { CARD_WIDTH, type Point } from "@/components/canvas/document/dimensions";
import { framesOf } from "@/components/canvas/document/frames";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { useReactFlow } from "@/components/canvas/view/flow";

const GLIDE_MS = 200;
/** Minimum distance of a card from the edges of the canvas and from the toolbar at its foot. */
const VIEW_MARGIN = 24;
const TOOLBAR_MARGIN = 72;
export const FIT = {
  padding: { x: `${VIEW_MARGIN}px`, top: `${VIEW_MARGIN}px`, bottom: `${TOOLBAR_MARGIN}px` },
  maxZoom: 1,
  minZoom: 0.3,
} as const;

/**
 * Must be called inside React Flow's provider. Returns a ref, so that handlers created once always use the latest
 * controls.
 */
export function useCanvasControls(
  others: Pick<CanvasControls, "toggleOutline" | "toggleMap" | "openHelp">,
): RefObject<CanvasControls> {
  const { screenToFlowPosition, fitView, zoomTo, getZoom, getViewport, setViewport } = useReactFlow();
  const editor = useEditorStore();
  const showNode = (nodeId: string) => {
    const distance = distanceIntoView(nodeId);
    if (distance === null) return;
    const { x, y, zoom } = getViewport();
    void setViewport({ x: x + distance.x, y: y + distance.y, zoom }, glide());
  };
  const controls: CanvasControls = {
    ...others,
    showNode,
    addNode: () => openPickerInView(editor, screenToFlowPosition),
    addNote: () => {
      const middle = middleOfView();
      if (middle !== null) addNote(editor, screenToFlowPosition(middle));
    },
    fit: () => void fitView({ ...FIT, ...glide() }),
    zoomTo: (zoom) => void zoomTo(zoom, glide()),
    zoomBy: (factor) => void zoomTo(getZoom() * factor, glide()),
    focusNode: (nodeId) => {
      showNode(nodeId);
      const before = document.activeElement;
      // The card may be new, or selected only in the next frame. A key pressed in between may have opened a field, such
      // as the search of the step picker; that field keeps the focus.
      requestAnimationFrame(() => {
        const now = document.activeElement;
        if (now !== before && now?.matches("input,textarea,select")) return;
        findCard(nodeId)?.focus({ preventScroll: true });
      });
    },
  };
  const latest = useRef(controls);
  useEffect(() => {
    latest.current = controls;
  });
  return latest;
}

/** The view glides so that the user doesn't lose their place; with reduced motion it moves immediately. */
function glide(): { duration: number } {
  return { duration: window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : GLIDE_MS };
}

function findCard(nodeId: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`);
}

/**
 * Returns how far the view must move, in screen pixels, to show the whole card; null if the card is visible or not
 * rendered.
 */
function distanceIntoView(nodeId: string): Point | null {
  const pane = document.querySelector(".workflow-canvas")?.getBoundingClientRect();
  const card = findCard(nodeId)?.getBoundingClientRect();
  if (pane === undefined || card === undefined) return null;
  const x = distanceInto(pane.left + VIEW_MARGIN, pane.right - VIEW_MARGIN, card.left, card.right);
  const y = distanceInto(pane.top + VIEW_MARGIN, pane.bottom - TOOLBAR_MARGIN, card.top, card.bottom);
  return x === 0 && y === 0 ? null : { x, y };
}

function distanceInto(from: number, to: number, start: number, end: number): number {
  if (start < from || end - start > to - from) return from - start;
  return end > to ? to - end : 0;
}

function openPickerInView(editor: EditorStore, toCanvas: (point: Point) => Point): void {
  const pane = document.querySelector(".workflow-canvas")?.getBoundingClientRect();
  const spot = spotForNew(editor, toCanvas);
  if (pane === undefined || spot === null) return;
  editor.getState().openPicker({ spot, anchor: { x: pane.left + pane.width / 2, y: pane.top + pane.height / 5 } });
}

/**
 * Returns where N and the command palette add a step: inside a selected empty loop, otherwise after the selected step
 * or into the only line that leaves it. Without a selected step, in the middle of the view. Null while nothing is
 * rendered.
 */
export function spotForNew(editor: EditorStore, toCanvas: (point: Point) => Point): InsertSpot | null {
  const onScreen = middleOfView();
  if (onScreen === null) return null;
  const middle = toCanvas(onScreen);
  const free: InsertSpot = { kind: "free", position: { x: middle.x - CARD_WIDTH / 2, y: middle.y - 50 } };
  return spotAfterSelection(editor) ?? free;
}

/** In screen coordinates; null while nothing is rendered. */
function middleOfView(): Point | null {
  const pane = document.querySelector(".workflow-canvas")?.getBoundingClientRect();
  return pane === undefined ? null : { x: pane.left + pane.width / 2, y: pane.top + pane.height / 2 };
}

function spotAfterSelection(editor: EditorStore): InsertSpot | null {
  const { definition, selectedNodeIds } = editor.getState();
  const node = definition.nodes.find((candidate) => candidate.id === selectedNodeIds[0]);
  if (node === undefined || selectedNodeIds.length !== 1) return null;
  if (framesOf(definition).bodyOf.get(node.id)?.length === 0) return { kind: "inside", loopId: node.id };
  const leaving = definition.edges.filter((edge) => edge.source === node.id);
  const outputs = branchesOf(node, leaving);
  const open = outputs.find((output) => !leaving.some((edge) => (edge.sourceHandle ?? null) === output.handle));
  if (open !== undefined) return { kind: "after", source: node.id, sourceHandle: open.handle };
  const [only, ...others] = leaving;
  return only === undefined || others.length > 0 ? null : { kind: "edge", edgeId: only.id };
}
