import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import { updateNote } from "@/components/canvas/actions/note-actions";
import { fitNoteSize } from "@/components/canvas/document/canvas-notes";
import { GRID, type Size } from "@/components/canvas/document/dimensions";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { useReactFlow } from "@/components/canvas/view/flow";

interface NoteSizerProps {
  note: CanvasNote;
  /** Called with the size while the corner is dragged, and with null when the drag ends. */
  onResize: (size: Size | null) => void;
}

const KEY_STEPS: Record<string, readonly [columns: number, rows: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The note's lower right corner: drag it or move it with the arrow keys. */
export function NoteSizer({ note, onResize }: NoteSizerProps) {
  const editor = useEditorStore();
  const { getZoom } = useReactFlow();
  const from = useRef<{ x: number; y: number } | null>(null);
  const { id, width, height } = note;
  function sizeAt(event: PointerEvent): Size {
    const start = from.current ?? { x: event.clientX, y: event.clientY };
    const zoom = getZoom();
    return fitNoteSize({
      width: width + (event.clientX - start.x) / zoom,
      height: height + (event.clientY - start.y) / zoom,
    });
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = KEY_STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const [columns, rows] = step;
    const next = fitNoteSize({ width: width + columns * GRID, height: height + rows * GRID });
    updateNote(editor, id, next, `${id}.size`);
  }
  return (
    <button
      type="button"
      aria-label="Resize the note with the arrow keys"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove={(event) => (from.current === null ? undefined : onResize(sizeAt(event)))}
      onPointerUp={(event) => {
        const next = sizeAt(event);
        from.current = null;
        onResize(null);
        if (next.width !== width || next.height !== height) updateNote(editor, id, next);
      }}
      onPointerCancel={() => {
        from.current = null;
        onResize(null);
      }}
      className="nodrag nopan absolute right-0 bottom-0 size-6 cursor-nwse-resize touch-none rounded-2 -outline-offset-2"
    >
      <span aria-hidden className="absolute right-1.5 bottom-1.5 size-2 border-r-2 border-b-2 border-border-strong" />
    </button>
  );
}
