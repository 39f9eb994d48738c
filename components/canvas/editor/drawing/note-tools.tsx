import { clsx } from "clsx";
import { PencilLine, Trash2 } from "lucide-react";
import { NOTE_COLORS } from "#lib/contract/workflow/canvas-choices";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import { deleteSelection } from "@/components/canvas/actions/canvas-actions";
import { updateNote } from "@/components/canvas/actions/note-actions";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { NodeToolbar } from "@/components/canvas/view/flow";
import { NOTE_COLOR_WORDS, NOTE_LOOKS } from "@/components/canvas/view/note-looks";
import { IconButton } from "@/components/ui/icon-button";

/** Tools for a selected note, shown above it at the same size at every zoom level. */
export function NoteTools({ note, isShown }: { note: CanvasNote; isShown: boolean }) {
  const editor = useEditorStore();
  return (
    // The note is drawn under the steps, but its tools are drawn over everything.
    <NodeToolbar isVisible={isShown} offset={8} style={{ zIndex: 10 }}>
      <div
        role="toolbar"
        aria-label="Note"
        className="nodrag nopan flex items-center gap-0.5 rounded-3 border border-border bg-raised p-1 shadow-2"
      >
        {NOTE_COLORS.map((color) => (
          <button
            key={color}
            type="button"
            aria-label={NOTE_COLOR_WORDS[color]}
            aria-pressed={note.color === color}
            title={NOTE_COLOR_WORDS[color]}
            onClick={() => updateNote(editor, note.id, { color })}
            className="flex size-control-sm items-center justify-center rounded-2 hover:bg-sunken aria-pressed:bg-sunken"
          >
            <span
              aria-hidden
              className={clsx(
                "size-4 rounded-full border",
                NOTE_LOOKS[color],
                note.color === color && "outline-2 outline-accent",
              )}
            />
          </button>
        ))}
        <IconButton
          icon={PencilLine}
          size="sm"
          label="Edit the text"
          shortcut="Enter"
          onClick={() => editor.getState().writeNote(note.id)}
        />
        <IconButton
          icon={Trash2}
          size="sm"
          label="Delete the note"
          shortcut="Del"
          onClick={() => deleteSelection(editor)}
        />
      </div>
    </NodeToolbar>
  );
}
