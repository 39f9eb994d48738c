import { LIMITS } from "#lib/contract/limits";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import { changeNote, createNote } from "@/components/canvas/document/canvas-notes";
import type { Point } from "@/components/canvas/document/dimensions";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { randomHex } from "@/components/ui/random-hex";
import { toast } from "@/components/ui/toast";

export const NOTES_FULL = `A workflow can have up to ${LIMITS.canvasNotes} notes.`;

/** Returns a random id, because two browsers may add a note at the same time and their ids must differ. */
export function newNoteId(): string {
  return `note-${randomHex()}`;
}

/** Adds an empty note centered on a point of the canvas, ready for typing. */
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

/** @param burst groups the keystrokes of one text into one undo step */
export function updateNote(editor: EditorStore, id: string, changes: Partial<CanvasNote>, burst?: string): void {
  const { notes, editNotes } = editor.getState();
  editNotes(changeNote(notes, id, changes), burst);
}
