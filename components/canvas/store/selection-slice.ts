import type { Definition } from "#lib/contract/workflow/graph";
import { isNoteId } from "@/components/canvas/document/canvas-notes";
import { followPicker } from "@/components/canvas/store/dialogs-slice";
import { isSameTracked } from "@/components/canvas/store/document-slice";
import { followSizes } from "@/components/canvas/store/drag-slice";
import type { CanvasEditor, SliceInput } from "@/components/canvas/store/editor-store";
import { followFresh, PANEL_CLOSED, panelOfSelection } from "@/components/canvas/store/panel-slice";

interface SelectionState {
  selectedNodeIds: readonly string[];
  selectedEdgeIds: readonly string[];
  selectedNoteIds: readonly string[];
  /** The note that is being edited. */
  writtenNoteId: string | null;
  /**
   * Makes a tap add a step to the selection or remove it, because without a keyboard there is no other way to select
   * several.
   */
  isChoosing: boolean;
  /** Counts manual selections, so that the panel resets for another node but survives a changed id. */
  selectionSerial: number;
}

interface SelectionActions {
  select: (nodeIds: readonly string[], edgeIds?: readonly string[], noteIds?: readonly string[]) => void;
  chooseSeveral: (isChoosing: boolean) => void;
  /** Adds a step or a note to the selection or removes it, without opening a panel. */
  toggleChosen: (id: string) => void;
  /** Selects a note and opens it for editing; null ends editing. */
  writeNote: (noteId: string | null) => void;
  /** Updates the id of the selected node; the panel and the picker stay open. */
  follow: (fromId: string, toId: string) => void;
}

export type SelectionSlice = SelectionState & SelectionActions;

/** What is selected. One selected step opens its panel. */
export function selectionSlice({ set, get }: SliceInput): SelectionSlice {
  return {
    selectedNodeIds: [],
    selectedEdgeIds: [],
    selectedNoteIds: [],
    writtenNoteId: null,
    isChoosing: false,
    selectionSerial: 0,
    select: (nodeIds, edgeIds = [], noteIds = []) => {
      const { selectedNodeIds, selectedEdgeIds, selectedNoteIds } = get();
      const isSame = isSameList(nodeIds, selectedNodeIds) && isSameList(edgeIds, selectedEdgeIds);
      if (isSame && isSameList(noteIds, selectedNoteIds)) return;
      set((state) => ({
        selectedNodeIds: nodeIds,
        selectedEdgeIds: edgeIds,
        selectedNoteIds: noteIds,
        writtenNoteId: noteIds.find((id) => id === state.writtenNoteId) ?? null,
        ...panelOfSelection(state, nodeIds.length === 1 && noteIds.length === 0),
        selectionSerial: state.selectionSerial + 1,
      }));
    },
    chooseSeveral: (isChoosing) => set({ isChoosing, ...PANEL_CLOSED }),
    toggleChosen: (id) => {
      const { selectedNodeIds, selectedNoteIds } = get();
      const toggled = (ids: readonly string[]) =>
        ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];
      if (isNoteId(id)) get().select(selectedNodeIds, [], toggled(selectedNoteIds));
      else get().select(toggled(selectedNodeIds), [], selectedNoteIds);
      set(PANEL_CLOSED);
    },
    writeNote: (noteId) => {
      if (noteId !== null) get().select([], [], [noteId]);
      set({ writtenNoteId: get().isReadOnly ? null : noteId });
    },
    follow: (fromId, toId) =>
      set((state) => ({
        selectedNodeIds: state.selectedNodeIds.map((id) => (id === fromId ? toId : id)),
        ...followFresh(state, fromId, toId),
        ...followSizes(state, fromId, toId),
        ...followPicker(state, fromId, toId),
      })),
  };
}

/** Returns a state with the nodes selected that an undo changed; null when the document is unchanged. */
export function selectChanged(before: CanvasEditor, after: CanvasEditor): Partial<SelectionState> | null {
  if (isSameTracked(before, after)) return null;
  const changed = changedNodeIds(before.definition, after.definition);
  const selectedNoteIds = after.notes.filter((note) => !before.notes.includes(note)).map(({ id }) => id);
  // Removes deleted nodes from the selection.
  const kept = before.selectedNodeIds.filter((id) => after.definition.nodes.some((node) => node.id === id));
  const selectedNodeIds = changed.length + selectedNoteIds.length > 0 ? changed : kept;
  const selectionSerial = before.selectionSerial + 1;
  return { selectedNodeIds, selectedEdgeIds: [], selectedNoteIds, writtenNoteId: null, selectionSerial };
}

/** Returns the nodes of `after` that are new or have other data than in `before`. Moves don't count. */
function changedNodeIds(before: Definition, after: Definition): string[] {
  const known = new Map(before.nodes.map((node) => [node.id, node]));
  return after.nodes.filter((node) => known.get(node.id)?.data !== node.data).map((node) => node.id);
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
