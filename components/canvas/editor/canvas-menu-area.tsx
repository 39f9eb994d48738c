"use client";

import { type MouseEvent, type ReactElement, type RefObject, Suspense, useState } from "react";
import { isNoteId } from "@/components/canvas/document/canvas-notes";
import type { Point } from "@/components/canvas/document/dimensions";
import { LazyCanvasMenu } from "@/components/canvas/editor/lazy-parts";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import type { EditorStore } from "@/components/canvas/store/editor-store";

export type MenuTarget =
  | { kind: "node"; nodeId: string }
  | { kind: "note"; noteId: string }
  | { kind: "several" }
  | { kind: "edge"; edgeId: string }
  | { kind: "pane" };

/** One opening of the menu; each opening is a new object, even at the same place. */
interface Opening {
  id: number;
  at: Point;
  target: MenuTarget;
}

const TEXTS = "input,textarea,[contenteditable=true]";

interface CanvasMenuAreaProps {
  controls: RefObject<CanvasControls>;
  /** The drawing; `aim` must run before any other handler of the right click or Shift+F10. */
  children: (aim: (event: MouseEvent<HTMLElement>) => void) => ReactElement;
}

/** Opens the context menu for the right-clicked or focused element. */
export function CanvasMenuArea({ controls, children }: CanvasMenuAreaProps) {
  const { editor } = useDraftSession();
  const [opening, setOpening] = useState<Opening | null>(null);
  function aim(event: MouseEvent<HTMLElement>) {
    // In text, the browser's own menu offers spelling and the clipboard.
    if (event.target instanceof Element && event.target.closest(TEXTS) !== null) return;
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    const target = aimAt(editor, event.target);
    setOpening((before) => ({ id: (before?.id ?? 0) + 1, at, target }));
  }
  return (
    <>
      {children(aim)}
      <Suspense>
        {opening === null ? null : (
          <LazyCanvasMenu
            key={opening.id}
            target={opening.target}
            at={opening.at}
            controls={controls}
            onClose={() => setOpening((now) => (now?.id === opening.id ? null : now))}
          />
        )}
      </Suspense>
    </>
  );
}

/** Selects a step that is not selected yet, without opening its panel over the element that was pointed at. */
function aimAt(editor: EditorStore, element: EventTarget): MenuTarget {
  if (!(element instanceof Element)) return { kind: "pane" };
  const { selectedNodeIds, selectedNoteIds, select, closePanel } = editor.getState();
  const nodeId = element.closest<HTMLElement>(".react-flow__node")?.dataset.id;
  const edgeId = element.closest<HTMLElement>(".react-flow__edge")?.dataset.id;
  const isSelection = element.closest(".react-flow__nodesselection") !== null;
  const selected = [...selectedNodeIds, ...selectedNoteIds];
  if (isSelection || (nodeId !== undefined && selected.includes(nodeId) && selected.length > 1)) {
    return { kind: "several" };
  }
  if (nodeId !== undefined && isNoteId(nodeId)) {
    select([], [], [nodeId]);
    return { kind: "note", noteId: nodeId };
  }
  if (nodeId !== undefined) {
    if (!selectedNodeIds.includes(nodeId)) {
      select([nodeId]);
      closePanel();
    }
    return { kind: "node", nodeId };
  }
  return edgeId === undefined ? { kind: "pane" } : { kind: "edge", edgeId };
}
