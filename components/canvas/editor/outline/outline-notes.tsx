import { StickyNote } from "lucide-react";
import type { RefObject } from "react";
import { noteTitle } from "@/components/canvas/document/canvas-notes";
import { moveOutlineFocus } from "@/components/canvas/editor/outline/outline-focus";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";

interface OutlineNotesProps {
  controls: RefObject<CanvasControls>;
  /** True when there is no step row for the tab stop. */
  hasTabStop: boolean;
}

/** Lists the notes in the order they were written. */
export function OutlineNotes({ controls, hasTabStop }: OutlineNotesProps) {
  const editor = useEditorStore();
  const notes = useEditor((state) => state.notes);
  const selected = useEditor((state) => state.selectedNoteIds);
  if (notes.length === 0) return null;
  return (
    <>
      <h3 className="px-2 pt-3 pb-1 text-dense text-text-3">Notes</h3>
      <ul className="flex flex-col">
        {notes.map((note, index) => (
          <li key={note.id}>
            <button
              type="button"
              data-outline-row
              tabIndex={hasTabStop && index === 0 ? 0 : -1}
              aria-current={selected.includes(note.id) ? "true" : undefined}
              onKeyDown={moveOutlineFocus}
              onClick={() => {
                editor.getState().select([], [], [note.id]);
                controls.current.focusNode(note.id);
              }}
              className="flex w-full items-center gap-2 rounded-2 px-2 py-1.5 text-left -outline-offset-2 hover:bg-sunken aria-[current]:bg-accent-weak"
            >
              <StickyNote aria-hidden className="size-4 shrink-0 text-text-2" strokeWidth={1.75} />
              <span className="min-w-0 truncate">{noteTitle(note)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
