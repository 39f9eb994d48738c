import type { TemporalState } from "zundo";
import type { StoreApi } from "zustand/vanilla";
import { changedNodeIds } from "@/components/canvas/store/changed-nodes";
import type { CanvasEditor, EditorActions, SetEditor, Tracked } from "@/components/canvas/store/editor-store";

/** Keystrokes in one field that are closer together than this are one undo step. */
const COALESCE_MS = 500;

interface HistoryInput {
  set: SetEditor;
  get: () => CanvasEditor;
  temporalStore: () => StoreApi<TemporalState<Tracked>>;
  now: () => number;
}

interface EditorHistory extends Pick<EditorActions, "absorb" | "undo" | "redo"> {
  /** Makes a change; changes with the same `burst` in quick succession are one undo step. */
  record: (burst: string | undefined, change: () => void) => void;
}

/** The undo and redo history of one editor. */
export function editorHistory({ set, get, temporalStore, now }: HistoryInput): EditorHistory {
  const temporal = () => temporalStore().getState();
  let lastBurst: { name: string; at: number } | null = null;
  const travel = (step: () => void) => {
    lastBurst = null;
    const before = get();
    step();
    const selection = selectChanged(before, get());
    if (selection !== null) set(selection);
  };
  return {
    /**
     * Later keystrokes of a burst are not recorded, because the entry of the first one already leads back to the state
     * before it.
     */
    record: (burst, change) => {
      const at = now();
      const isContinued = burst !== undefined && lastBurst?.name === burst && at - lastBurst.at < COALESCE_MS;
      lastBurst = burst === undefined ? null : { name: burst, at };
      if (isContinued) temporal().pause();
      change();
      if (isContinued) temporal().resume();
    },
    absorb: (absorb, name) => {
      const { pastStates, futureStates } = temporal();
      temporal().pause();
      set({ ...absorb(get()), name });
      temporal().resume();
      // The last entry of each list is the next one to restore. A step that can't absorb the other users' work ends the
      // history, and earlier steps are dropped.
      const rebased = (states: Partial<Tracked>[]) => {
        const absorbed = states.map((state) => absorb({ ...get(), ...state }));
        return absorbed.slice(absorbed.lastIndexOf(null) + 1).filter((state) => state !== null);
      };
      temporalStore().setState({ pastStates: rebased(pastStates), futureStates: rebased(futureStates) });
    },
    undo: () => travel(() => temporal().undo()),
    redo: () => travel(() => temporal().redo()),
  };
}

/** Returns a state with the nodes selected that an undo changed; null when the document is unchanged. */
function selectChanged(before: CanvasEditor, after: CanvasEditor): Partial<CanvasEditor> | null {
  if (after.definition === before.definition && after.notes === before.notes) return null;
  const changed = changedNodeIds(before.definition, after.definition);
  const selectedNoteIds = after.notes.filter((note) => !before.notes.includes(note)).map(({ id }) => id);
  // Removes deleted nodes from the selection.
  const kept = before.selectedNodeIds.filter((id) => after.definition.nodes.some((node) => node.id === id));
  const selectedNodeIds = changed.length + selectedNoteIds.length > 0 ? changed : kept;
  const selectionSerial = before.selectionSerial + 1;
  return { selectedNodeIds, selectedEdgeIds: [], selectedNoteIds, writtenNoteId: null, selectionSerial };
}
