import { LIMITS } from "#lib/contract/limits";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import { GRID, NODE_GAP, type Point, type Size, snapToGrid } from "@/components/canvas/document/dimensions";

type Notes = readonly CanvasNote[];

const NEW_SIZE: Size = { width: 240, height: 160 };

/** Returns true for a note's id. Notes and steps share one drawing, so only the id distinguishes them. */
export function isNoteId(id: string): boolean {
  return id.startsWith("note-");
}

/** Returns the first line of a note, for lists and screen readers. */
export function noteTitle({ text }: CanvasNote): string {
  return text.trim().split("\n")[0] || "Empty note";
}

/** Returns an empty note centered on a point. */
export function createNote(id: string, { x, y }: Point): CanvasNote {
  const position = { x: snapToGrid(x - NEW_SIZE.width / 2), y: snapToGrid(y - NEW_SIZE.height / 2) };
  return { id, text: "", color: "yellow", position, ...NEW_SIZE };
}

export function changeNote(notes: Notes, id: string, changes: Partial<CanvasNote>): Notes {
  return notes.map((note) => (note.id === id ? { ...note, ...changes } : note));
}

/** Returns the notes with some of them moved, or the same list when nothing moved. */
export function moveNotes(notes: Notes, positions: Readonly<Record<string, Point>>): Notes {
  const isMoved = ({ id, position }: CanvasNote) => {
    const next = positions[id];
    return next !== undefined && (next.x !== position.x || next.y !== position.y);
  };
  if (!notes.some(isMoved)) return notes;
  return notes.map((note) => (isMoved(note) ? { ...note, position: positions[note.id] ?? note.position } : note));
}

/** Returns the notes without the given ones, or the same list when it has none of them. */
export function removeNotes(notes: Notes, ids: readonly string[]): Notes {
  const rest = notes.filter(({ id }) => !ids.includes(id));
  return rest.length === notes.length ? notes : rest;
}

/** Copies these notes to the right of the originals, up to the workflow's limit. */
export function duplicateNotes(notes: Notes, ids: readonly string[], newId: () => string): CanvasNote[] {
  return notes
    .filter(({ id }) => ids.includes(id))
    .slice(0, LIMITS.canvasNotes - notes.length)
    .map((note) => ({
      ...note,
      id: newId(),
      position: { x: note.position.x + snapToGrid(note.width) + NODE_GAP, y: note.position.y },
    }));
}

/** Returns the nearest allowed note size, in whole grid steps. */
export function fitNoteSize({ width, height }: Size): Size {
  const inGrid = (value: number) =>
    Math.min(LIMITS.noteSizeMax, Math.max(Math.ceil(LIMITS.noteSizeMin / GRID) * GRID, snapToGrid(value)));
  return { width: inGrid(width), height: inGrid(height) };
}

/** Returns the notes that contain a text, in the order they were written. */
export function findNotes(notes: Notes, query: string): CanvasNote[] {
  const wanted = query.trim().toLowerCase();
  return wanted === "" ? [] : notes.filter(({ text }) => text.toLowerCase().includes(wanted));
}
