import { clsx } from "clsx";
import { type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import { LIMITS } from "#lib/contract/limits";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import { updateNote } from "@/components/canvas/actions/note-actions";
import type { Size } from "@/components/canvas/document/dimensions";
import { NoteSizer } from "@/components/canvas/editor/drawing/note-sizer";
import { NoteTools } from "@/components/canvas/editor/drawing/note-tools";
import type { NoteNode } from "@/components/canvas/editor/drawing/project-notes";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import type { NodeProps } from "@/components/canvas/view/flow";
import { NOTE_LOOKS } from "@/components/canvas/view/note-looks";

/** A text next to the steps, for people only: it is not part of any version or run. */
export const FlowNote = memo(function FlowNote({ data, selected, dragging }: NodeProps<NoteNode>) {
  const { note, isWritten } = data;
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const isAlone = useEditor((state) => state.selectedNodeIds.length + state.selectedNoteIds.length === 1);
  const isChoosing = useEditor((state) => state.isChoosing);
  const [size, setSize] = useState<Size | null>(null);
  const { width, height } = size ?? note;
  return (
    <div
      className={clsx(
        "relative rounded-3 border",
        NOTE_LOOKS[note.color],
        selected && "border-accent ring-3 ring-accent-weak",
        dragging ? "shadow-2" : "shadow-1",
      )}
      style={{ width, height }}
    >
      {isWritten ? <NoteText note={note} /> : <NoteWords text={note.text} />}
      {isReadOnly ? null : <NoteTools note={note} isShown={selected && isAlone && !isChoosing && !dragging} />}
      {isReadOnly ? null : <NoteSizer note={note} onResize={setSize} />}
    </div>
  );
});

function NoteWords({ text }: { text: string }) {
  return (
    <p
      className={clsx(
        "note-words h-full overflow-hidden px-3 py-2 text-left whitespace-pre-wrap [overflow-wrap:anywhere]",
        text === "" ? "text-text-2 italic" : "text-text",
      )}
    >
      {text === "" ? "Empty note" : text}
    </p>
  );
}

/** Edits the note's text in place. Esc and leaving the field end editing and keep the text. */
function NoteText({ note }: { note: CanvasNote }) {
  const editor = useEditorStore();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const written = field.current;
    written?.focus({ preventScroll: true });
    written?.setSelectionRange(written.value.length, written.value.length);
  }, []);
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.currentTarget.closest<HTMLElement>(".react-flow__node")?.focus({ preventScroll: true });
  }
  return (
    <textarea
      ref={field}
      aria-label="Note text"
      value={note.text}
      maxLength={LIMITS.noteCharacters}
      onChange={(event) => updateNote(editor, note.id, { text: event.target.value }, `${note.id}.text`)}
      onKeyDown={onKeyDown}
      onBlur={() => editor.getState().writeNote(null)}
      className="nodrag nopan nowheel block h-full w-full resize-none bg-transparent px-3 py-2 text-text"
    />
  );
}
