import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import { noteTitle } from "@/components/canvas/document/canvas-notes";
import type { CanvasNode } from "@/components/canvas/editor/drawing/project-definition";
import type { Node } from "@/components/canvas/view/flow";

export type NoteNode = Node<{ note: CanvasNote; isWritten: boolean }, "note">;
/** Any element that React Flow draws as a node. */
export type DrawnNode = CanvasNode | NoteNode;

interface NotesInput {
  notes: readonly CanvasNote[];
  selectedNoteIds: readonly string[];
  writtenNoteId: string | null;
}

/** Converts notes to React Flow nodes below lines and cards; unchanged notes keep their identity. */
export function projectNotes(input: NotesInput, last: readonly NoteNode[]): NoteNode[] {
  const before = new Map(last.map((node) => [node.id, node]));
  return input.notes.map((note) => {
    const former = before.get(note.id);
    const isSelected = input.selectedNoteIds.includes(note.id);
    const isWritten = input.writtenNoteId === note.id;
    const { position } = note;
    const isSame =
      former?.data.note === note &&
      former.data.isWritten === isWritten &&
      former.selected === isSelected &&
      former.position.x === position.x &&
      former.position.y === position.y;
    if (isSame) return former;
    const isSameContent = former?.data.note === note && former.data.isWritten === isWritten;
    const { width, height } = note;
    return {
      id: note.id,
      type: "note",
      position,
      data: isSameContent ? former.data : { note, isWritten },
      selected: isSelected,
      ariaLabel: `Note: ${noteTitle(note)}`,
      zIndex: -1,
      width,
      height,
      measured: { width, height },
    };
  });
}
