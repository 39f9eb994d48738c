import type { CanvasNote } from "#lib/contract/canvas-note";
import { LIMITS } from "#lib/contract/limits";
import { changeNote, createNote } from "@/components/canvas/document/canvas-notes";
import type { Point } from "@/components/canvas/document/dimensions";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { randomHex } from "@/components/ui/random-hex";
import { toast } from "@/components/ui/toast";

export const NOTES_FULL = `A workflow holds ${LIMITS.canvasNotes} notes at most.`;

/** Two browsers may add at the same time: their notes are not to be taken for one. */
export function newNoteId(): string {
  return `note-${randomHex()}`;
}

/** Puts an empty note around a point of the canvas, ready to be written. */
export function addNote(editor: EditorStore, at: Point): void {
  const { notes, isReadOnly, editNotes, writeNote } = editor.getState();
  if (isReadOnly) return;
  if (notes.length >= LIMITS.canvasNotes) {
    toast.message(NOTES_FULL);
    return;
  }
  const note = createNote(newNoteId(), at);
  editNotes([...notes, note]);
  writeNote(note.id);
}

/** @param burst keystrokes of one text are one undo step */
export function updateNote(editor: EditorStore, id: string, changes: Partial<CanvasNote>, burst?: string): void {
  const { notes, editNotes } = editor.getState();
  editNotes(changeNote(notes, id, changes), burst);
}
