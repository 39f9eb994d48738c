import { type RefObject, useEffect, useRef } from "react";
import { addNote } from "@/components/canvas/actions/note-actions";
import { viewOf } from "@/components/canvas/docks/bring-into-view";
import { spotAfter } from "@/components/canvas/document/continue-flow";
import { CARD_WIDTH, type Point } from "@/components/canvas/document/dimensions";
import { framesOf } from "@/components/canvas/document/frames";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { outgoingInPortOrder } from "@/components/canvas/document/step-order";
import { currentDrawing } from "@/components/canvas/editor/drawing/use-drawing";
import { portKey } from "@/components/canvas/layout/plan-frame";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import type { Picker } from "@/components/canvas/store/dialogs-slice";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { useReactFlow } from "@/components/canvas/view/flow";
import { ZOOM_MIN } from "@/components/canvas/view/zoom-look";

const GLIDE_MS = 200;
/** Distance of a fitted drawing from the edges of the canvas and from the toolbar at its foot. */
const VIEW_MARGIN = 24;
const TOOLBAR_MARGIN = 72;
export const FIT = {
  padding: { x: `${VIEW_MARGIN}px`, top: `${VIEW_MARGIN}px`, bottom: `${TOOLBAR_MARGIN}px` },
  maxZoom: 1,
  minZoom: ZOOM_MIN,
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
  const showNode = (nodeId: string, onArrived?: () => void) => {
    const before = getViewport();
    const next = viewOf(editor.getState(), nodeId, before, nextButtons(editor, nodeId));
    if (next === null || (next.x === before.x && next.y === before.y && next.zoom === before.zoom)) return;
    void setViewport(next, glide()).then((hasArrived) => hasArrived && onArrived?.());
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
    fitSelection: () => {
      const { selectedNodeIds, selectedNoteIds } = editor.getState();
      const nodes = [...selectedNodeIds, ...selectedNoteIds].map((id) => ({ id }));
      if (nodes.length > 0) void fitView({ ...FIT, ...glide(), nodes });
    },
    zoomTo: (zoom) => void zoomTo(zoom, glide()),
    zoomBy: (factor) => void zoomTo(getZoom() * factor, glide()),
    focusNode: (nodeId) => {
      showNode(nodeId);
      const before = document.activeElement;
      // The card may be new, or selected only in the next frame. A key pressed in between may have opened a field, such
      // as the search of the step picker; that field keeps the focus.
      requestAnimationFrame(() => {
        const now = document.activeElement;
        if (now !== before && now?.matches("input,textarea,select,[contenteditable=true]")) return;
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

/**
 * Returns the add buttons on the lines that leave a step, relative to its card, if the step was just added: most users
 * then add the next one. A step that was only selected does not move for its buttons, so a double-click still finds it.
 */
function nextButtons(editor: EditorStore, nodeId: string): Point[] {
  const { definition, freshNodes } = editor.getState();
  if (!(nodeId in freshNodes)) return [];
  const { adds } = currentDrawing(editor);
  return definition.edges.flatMap(({ source, sourceHandle }) =>
    source === nodeId ? (adds.get(portKey(source, sourceHandle ?? null)) ?? []) : [],
  );
}

function findCard(nodeId: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`);
}

/** The view glides so that the user doesn't lose their place; with reduced motion it moves immediately. */
function glide(): { duration: number } {
  return { duration: window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : GLIDE_MS };
}

/** Opens the picker where N and the command palette add a step. */
export function openPickerInView(editor: EditorStore, toCanvas: (point: Point) => Point, app?: Picker["app"]): void {
  const pane = document.querySelector(".workflow-canvas")?.getBoundingClientRect();
  const spot = spotForNew(editor, toCanvas);
  if (pane === undefined || spot === null) return;
  const anchor = { x: pane.left + pane.width / 2, y: pane.top + pane.height / 5 };
  editor.getState().openPicker({ spot, anchor, ...(app === undefined ? {} : { app }) });
}

/**
 * Returns where N and the command palette add a step: inside a selected empty loop, otherwise after the selected step or
 * into a line at it. Without a selected step, where the flow continues; the first step is in the middle of the view. Null
 * while nothing is rendered.
 */
export function spotForNew(editor: EditorStore, toCanvas: (point: Point) => Point): InsertSpot | null {
  const onScreen = middleOfView();
  if (onScreen === null) return null;
  const middle = toCanvas(onScreen);
  const position = { x: middle.x - CARD_WIDTH / 2, y: middle.y - 50 };
  return spotAtSelection(editor) ?? { kind: "flow", position };
}

/** In screen coordinates; null while nothing is rendered. */
function middleOfView(): Point | null {
  const pane = document.querySelector(".workflow-canvas")?.getBoundingClientRect();
  return pane === undefined ? null : { x: pane.left + pane.width / 2, y: pane.top + pane.height / 2 };
}

function spotAtSelection(editor: EditorStore): InsertSpot | null {
  const { definition, selectedNodeIds, selectionSerial, freshSerial } = editor.getState();
  const node = definition.nodes.find((candidate) => candidate.id === selectedNodeIds[0]);
  if (node === undefined || selectedNodeIds.length !== 1) return null;
  if (framesOf(definition).bodyOf.get(node.id)?.length === 0) return { kind: "inside", loopId: node.id };
  // A step that was just added continues with the line that it took over, so that steps added in a row are a chain.
  const [line] = selectionSerial === freshSerial ? outgoingInPortOrder(definition, node.id) : [];
  return line === undefined ? spotAfter(definition, node) : { kind: "edge", edgeId: line.id };
}
