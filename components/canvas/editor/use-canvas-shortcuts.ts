import { type RefObject, useLayoutEffect } from "react";
import { duplicateSelection, nudgeSelection, selectAll, tidy } from "@/components/canvas/actions/canvas-actions";
import { deleteWithFocus } from "@/components/canvas/actions/delete-with-focus";
import { toggleDisabled } from "@/components/canvas/actions/toggle-disabled";
import { turnDrawing } from "@/components/canvas/actions/turn-drawing";
import { isNoteId } from "@/components/canvas/document/canvas-notes";
import { neighbourOf } from "@/components/canvas/document/traverse";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { canvasState } from "@/components/canvas/store/canvas-state";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { fullNodeId } from "@/components/canvas/store/panel-slice";
import { togglePin } from "@/components/canvas/testing/toggle-pin";
import { useShortcutsEnabled } from "@/components/shell/shortcuts";

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" } as const;
const STEPS = {
  up: { columns: 0, rows: -1 },
  down: { columns: 0, rows: 1 },
  left: { columns: -1, rows: 0 },
  right: { columns: 1, rows: 0 },
} as const;

/** How many grid steps a card moves with Shift. */
const LEAP = 5;

type Handler = () => void;

/**
 * Handles the canvas shortcuts. Key combinations work wherever the focus is on the page, except for those that edit the text
 * of a field. Single keys work only outside fields, dialogs and menus, and not at all if the user has turned them off
 * (WCAG 2.1.4).
 */
export function useCanvasShortcuts(controls: RefObject<CanvasControls>): void {
  const session = useDraftSession();
  const [hasSingleKeys] = useShortcutsEnabled();
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("[role=dialog],[role=alertdialog],[role=menu]")) return;
      const isTyping = target?.closest("input,textarea,select,[contenteditable=true]") != null;
      const situation = { isTyping, hasSingleKeys, target, togglePin: () => togglePin(session) };
      const handler = findHandler(event, session.editor, controls.current, situation);
      if (handler === null) return;
      event.preventDefault();
      handler();
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [session, hasSingleKeys, controls]);
}

interface Situation {
  isTyping: boolean;
  hasSingleKeys: boolean;
  target: HTMLElement | null;
  togglePin: Handler;
}

function findHandler(
  event: KeyboardEvent,
  editor: EditorStore,
  controls: CanvasControls,
  situation: Situation,
): Handler | null {
  const isChord = event.metaKey || event.ctrlKey;
  const isFull = fullNodeId(editor.getState()) !== null;
  if (situation.isTyping) return isFull ? null : findInField(event, editor, situation);
  if (isFull) return findOverDrawing(event, editor, controls);
  if (isChord) return findChord(event, editor);
  return findArrow(event, editor, controls, situation) ?? findKey(event, editor, controls, situation);
}

/** In a field of the selected step, the keys that mean nothing for its text act on the step. */
function findInField(event: KeyboardEvent, editor: EditorStore, { target }: Situation): Handler | null {
  const { selectedNodeIds, open } = editor.getState();
  const [node, ...others] = selectedNodeIds;
  const field = target?.closest<HTMLElement>("[data-field]:not([data-held])")?.dataset.field;
  if (node === undefined || others.length > 0 || field === undefined) return null;
  if (event.key === "F2") return () => open(node, "name");
  if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "d") return null;
  return () => {
    duplicateSelection(editor);
    // The panel changes to the copy, and the user continues in the same field.
    const [copy = node] = editor.getState().selectedNodeIds;
    open(copy, field);
  };
}

/** While the workspace covers the drawing, keys don't change what can't be seen. */
function findOverDrawing(event: KeyboardEvent, editor: EditorStore, controls: CanvasControls): Handler | null {
  if (event.key === "Escape") return findEscape(editor, controls);
  const isHistory = (event.metaKey || event.ctrlKey) && ["z", "y"].includes(event.key.toLowerCase());
  return isHistory ? findChord(event, editor) : null;
}

function findChord(event: KeyboardEvent, editor: EditorStore): Handler | null {
  const key = event.key.toLowerCase();
  const state = editor.getState();
  if (key === "z") return event.shiftKey ? state.redo : state.undo;
  if (key === "y") return state.redo;
  if (key === "d") return () => duplicateSelection(editor);
  if (key === "a") return () => selectAll(editor);
  return null;
}

/** Arrow keys move along the lines, Shift extends the selection, and Alt moves the selection by one grid step, with Shift by five. */
function findArrow(
  event: KeyboardEvent,
  editor: EditorStore,
  controls: CanvasControls,
  { target }: Situation,
): Handler | null {
  const direction = ARROWS[event.key as keyof typeof ARROWS];
  if (direction === undefined || target?.closest("[role=tablist],[role=separator],[role=tree]")) return null;
  if (event.altKey) return () => nudgeSelection(editor, STEPS[direction], event.shiftKey ? LEAP : 1);
  const { definition, orientation, selectedNodeIds, select } = editor.getState();
  const from = selectedNodeIds.at(-1) ?? focusedNodeId(target);
  const next = from === null ? definition.nodes[0]?.id : neighbourOf(definition, from, direction, orientation);
  if (next === null || next === undefined) return null;
  return () => {
    select(event.shiftKey ? [...selectedNodeIds.filter((id) => id !== next), next] : [next]);
    controls.focusNode(next);
  };
}

function findKey(
  event: KeyboardEvent,
  editor: EditorStore,
  controls: CanvasControls,
  { hasSingleKeys, target, togglePin: pin }: Situation,
): Handler | null {
  const state = editor.getState();
  const selected = state.selectedNodeIds.at(-1) ?? null;
  const held = selected ?? state.selectedNoteIds.at(-1) ?? null;
  const node = focusedNodeId(target) ?? (isFree(target) ? held : null);
  if (event.key === "Escape") return findEscape(editor, controls);
  if (event.key === "Delete" || event.key === "Backspace") return () => deleteWithFocus(editor, controls);
  if ((event.key === "Enter" || event.key === "F2") && node !== null) {
    if (isNoteId(node)) return () => state.writeNote(node);
    return event.key === "F2" ? () => state.open(node, "name") : () => state.openFull(node);
  }
  if (!hasSingleKeys || event.altKey) return null;
  if (event.shiftKey && event.key.toLowerCase() === "l") return () => void tidy(editor);
  if (event.shiftKey && event.key.toLowerCase() === "t") return () => void turnDrawing(editor, controls);
  if (event.shiftKey && event.key.toLowerCase() === "n") return controls.addNote;
  const keys: Record<string, Handler> = {
    n: controls.addNode,
    p: pin,
    d: () => toggleDisabled(editor),
    o: controls.toggleOutline,
    m: controls.toggleMap,
    "?": controls.openHelp,
    "0": () => controls.zoomTo(1),
    "1": controls.fit,
    "2": controls.fitSelection,
    "+": () => controls.zoomBy(1.2),
    "=": () => controls.zoomBy(1.2),
    "-": () => controls.zoomBy(1 / 1.2),
  };
  // With Shift, as in Figma; on many layouts the key then types a punctuation mark.
  const digit = event.shiftKey ? /^Digit([012])$/.exec(event.code)?.[1] : undefined;
  return keys[digit ?? event.key.toLowerCase()] ?? null;
}

/** Closes the panel first, then clears the selection. */
function findEscape(editor: EditorStore, controls: CanvasControls): Handler | null {
  const { chooseSeveral, closePanel, select } = editor.getState();
  const state = canvasState(editor.getState());
  switch (state.kind) {
    case "idle":
      return null;
    case "selected":
      return () => select([]);
    case "choosing":
      return () => chooseSeveral(false);
    case "panel":
    case "workspace":
      return () => {
        closePanel();
        controls.focusNode(state.nodeId);
      };
  }
}

function focusedNodeId(target: HTMLElement | null): string | null {
  // A button inside a card handles its own Enter.
  if (target === null || target.closest("button")) return null;
  return target.closest<HTMLElement>(".react-flow__node")?.dataset.id ?? null;
}

/** Returns true when no element that handles Enter itself has the focus. */
function isFree(target: HTMLElement | null): boolean {
  return target === null || target.closest("button,a,summary,[role=tab],[role=treeitem]") === null;
}
