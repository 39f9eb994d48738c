"use client";

import { clsx } from "clsx";
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { connect } from "@/components/canvas/actions/canvas-actions";
import { connectionRefusal } from "@/components/canvas/document/connect-nodes";
import { GRID } from "@/components/canvas/document/dimensions";
import { CanvasMenuArea } from "@/components/canvas/editor/canvas-menu-area";
import { DragGuides } from "@/components/canvas/editor/drawing/drag-guides";
import {
  applyNodeChanges,
  applySelection,
  finishConnection,
  reopenPanel,
} from "@/components/canvas/editor/drawing/flow-changes";
import { FlowEdge } from "@/components/canvas/editor/drawing/flow-edge";
import { FlowLoop } from "@/components/canvas/editor/drawing/flow-loop";
import { FlowNode } from "@/components/canvas/editor/drawing/flow-node";
import { FlowNote } from "@/components/canvas/editor/drawing/flow-note";
import type { CanvasEdge, CanvasNode } from "@/components/canvas/editor/drawing/project-definition";
import { type DrawnNode, type NoteNode, projectNotes } from "@/components/canvas/editor/drawing/project-notes";
import { useDragLayer } from "@/components/canvas/editor/drawing/use-drag-layer";
import { useDrawing } from "@/components/canvas/editor/drawing/use-drawing";
import { useFreeHand } from "@/components/canvas/editor/drawing/use-free-hand";
import { firstView } from "@/components/canvas/editor/first-view";
import { useCanvasShortcuts } from "@/components/canvas/editor/use-canvas-shortcuts";
import { useClipboardKeys } from "@/components/canvas/editor/use-clipboard-keys";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useDraft, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { writeView } from "@/components/canvas/store/sticky-view";
import type { ZoomStore } from "@/components/canvas/store/zoom-store";
import {
  Background,
  BackgroundVariant,
  ConnectionLineType,
  type EdgeChange,
  type FinalConnectionState,
  type NodeChange,
  ReactFlow,
  type ReactFlowProps,
  SelectionMode,
  useReactFlow,
} from "@/components/canvas/view/flow";
import { applyZoomLook, ZOOM_MAX, ZOOM_MIN } from "@/components/canvas/view/zoom-look";
import "@/components/canvas/view/canvas.css";

const NODE_TYPES = { step: FlowNode, loop: FlowLoop, note: FlowNote };
const EDGE_TYPES = { line: FlowEdge };
/** React Flow's settings on every canvas. One constant object, so that no render passes new values. */
const BEHAVIOR = {
  edgesFocusable: false,
  // A press may start a drag. Only a click selects, because selecting opens the panel and narrows the canvas.
  selectNodesOnDrag: false,
  // Selected elements stay in their layer, because a raised loop would cover the buttons on the lines inside it.
  elevateNodesOnSelect: false,
  // We handle the keys: React Flow's arrow keys move nodes, but users expect them to move along the lines.
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  selectionKeyCode: "Shift",
  multiSelectionKeyCode: ["Meta", "Control", "Shift"],
  selectionMode: SelectionMode.Partial,
  panOnScroll: true,
  zoomOnDoubleClick: false,
  minZoom: ZOOM_MIN,
  maxZoom: ZOOM_MAX,
  connectionRadius: 36,
  connectionLineType: ConnectionLineType.SmoothStep,
  attributionPosition: "bottom-left",
} satisfies Partial<ReactFlowProps>;

/** Renders the document with React Flow; every change goes back through the editor. */
export function WorkflowCanvas({ controls, zoom }: { controls: RefObject<CanvasControls>; zoom: ZoomStore }) {
  const editor = useEditorStore();
  const box = useRef<HTMLElement>(null);
  const edges = useDrawing((drawing) => drawing.edges);
  const drawn = useWithNotes(useDrawing((drawing) => drawing.nodes));
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const isGliding = useEditor((state) => state.isGliding);
  const isChoosing = useEditor((state) => state.isChoosing);
  const handlers = useFlowHandlers(editor);
  useCanvasShortcuts(controls);
  useClipboardKeys();
  useDragLayer(box);
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  const [first] = useState(() => {
    return firstView(workflowId, editor.getState(), { width: window.innerWidth, height: window.innerHeight });
  });
  const showZoom = useZoomLook(box, zoom, first.defaultViewport?.zoom ?? 1);
  const look = clsx("workflow-canvas min-h-0 min-w-0 flex-1", isGliding && "is-gliding");
  return (
    <CanvasMenuArea controls={controls}>
      {(aim) => (
        <section aria-label="Canvas" ref={box} className={look} onContextMenuCapture={aim}>
          <ReactFlow<DrawnNode, CanvasEdge>
            aria-label="Workflow drawing"
            nodes={drawn}
            edges={edges}
            nodeTypes={NODE_TYPES}
            edgeTypes={EDGE_TYPES}
            {...handlers}
            nodesDraggable={!isReadOnly}
            nodesConnectable={!isReadOnly}
            elementsSelectable={!isChoosing}
            {...BEHAVIOR}
            {...first}
            onMoveEnd={(_event, view) => writeView(workflowId, view)}
            onMove={showZoom}
          >
            <Background variant={BackgroundVariant.Dots} gap={GRID} size={1.5} />
            <DragGuides />
          </ReactFlow>
        </section>
      )}
    </CanvasMenuArea>
  );
}

/** Returns a handler that shows the zoom in the toolbar and on the cards, without rendering the drawing. */
function useZoomLook(box: RefObject<HTMLElement | null>, zoom: ZoomStore, first: number) {
  const show = useCallback(
    (now: number) => {
      applyZoomLook(box.current, now);
      if (zoom.getState().zoom !== now) zoom.setState({ zoom: now });
    },
    [box, zoom],
  );
  useLayoutEffect(() => show(first), [show, first]);
  return useCallback((_event: unknown, view: { zoom: number }) => show(view.zoom), [show]);
}

/** Notes are drawn under the steps, so they come first. */
function useWithNotes(steps: readonly CanvasNode[]): DrawnNode[] {
  const last = useRef<NoteNode[]>([]);
  const notes = useEditor((state) => state.notes);
  const selectedNoteIds = useEditor((state) => state.selectedNoteIds);
  const writtenNoteId = useEditor((state) => state.writtenNoteId);
  return useMemo(() => {
    last.current = projectNotes({ notes, selectedNoteIds, writtenNoteId }, last.current);
    return [...last.current, ...steps];
  }, [notes, selectedNoteIds, writtenNoteId, steps]);
}

function useFlowHandlers(editor: EditorStore) {
  const { screenToFlowPosition, getZoom } = useReactFlow();
  const isFree = useFreeHand();
  const onConnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      if (state.isValid || state.fromNode === null) return;
      const point = "changedTouches" in event ? event.changedTouches[0] : event;
      if (point === undefined) return;
      finishConnection(editor, state, { x: point.clientX, y: point.clientY }, screenToFlowPosition);
    },
    [editor, screenToFlowPosition],
  );
  return useMemo(
    () => ({
      onNodesChange: (changes: NodeChange<DrawnNode>[]) =>
        applyNodeChanges(editor, changes, { zoom: getZoom(), isFree: isFree.current }),
      onEdgesChange: (changes: EdgeChange<CanvasEdge>[]) => applySelection(editor, changes, "edge"),
      onConnect: (connection: { source: string; target: string; sourceHandle: string | null }) =>
        connect(editor, connection),
      isValidConnection: (connection: { source: string; target: string; sourceHandle?: string | null }) =>
        connectionRefusal(editor.getState().definition, connection) === null,
      onPaneClick: () => {
        const { isChoosing, select } = editor.getState();
        if (!isChoosing) select([]);
      },
      onNodeClick: (_event: unknown, node: DrawnNode) => {
        const { isChoosing, toggleChosen } = editor.getState();
        if (isChoosing) toggleChosen(node.id);
        else reopenPanel(editor, node.id);
      },
      onNodeDoubleClick: (_event: unknown, node: DrawnNode) => {
        if (node.type === "note") editor.getState().writeNote(node.id);
        else editor.getState().openFull(node.id);
      },
      onConnectEnd,
    }),
    [editor, onConnectEnd, getZoom, isFree],
  );
}
