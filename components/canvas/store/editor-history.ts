import type { TemporalState } from "zundo";
import type { StoreApi } from "zustand/vanilla";
import type { DocumentSlice, Tracked } from "@/components/canvas/store/document-slice";
import type { SliceInput } from "@/components/canvas/store/editor-store";
import type { TypingPlace } from "@/components/canvas/store/panel-slice";
import { selectChanged } from "@/components/canvas/store/selection-slice";

/** Keystrokes in one field that are closer together than this are one undo step. */
const COALESCE_MS = 500;

interface HistoryInput extends Pick<SliceInput, "set" | "get"> {
  temporalStore: () => StoreApi<TemporalState<Tracked>>;
  now: () => number;
}

export interface EditorHistory extends Pick<DocumentSlice, "absorb" | "undo" | "redo"> {
  /**
   * Makes a change; changes with the same `burst` in quick succession are one undo step. While the user types in the field
   * of the burst, time doesn't matter.
   */
  record: (burst: string | undefined, change: () => void) => void;
  /** Makes a change that is a part of the last undo step. */
  amend: (change: () => void) => void;
  /** Ends the burst, so that the next change is an undo step of its own. */
  endBurst: () => void;
}

/** The undo and redo history of one editor. */
export function editorHistory({ set, get, temporalStore, now }: HistoryInput): EditorHistory {
  const temporal = () => temporalStore().getState();
  let lastBurst: { name: string; at: number } | null = null;
  /** A field that undoes its own steps can return to where it started. That is no step of the canvas. */
  const dropEmptyStep = () => {
    const { pastStates } = temporal();
    const start = pastStates.at(-1);
    if (start === undefined || !isSameContent(start, get())) return;
    temporal().pause();
    set(start);
    temporal().resume();
    temporalStore().setState({ pastStates: pastStates.slice(0, -1) });
    lastBurst = null;
  };
  const travel = (step: () => void) => {
    lastBurst = null;
    const before = get();
    step();
    const selection = selectChanged(before, get());
    if (selection !== null) set({ ...selection, isOwnEdit: false });
  };
  return {
    /**
     * Later keystrokes of a burst are not recorded, because the entry of the first one already leads back to the state
     * before it.
     */
    record: (burst, change) => {
      const at = now();
      const isTyped = burst !== undefined && burst === burstOf(get().typingIn);
      const isSoon = lastBurst !== null && at - lastBurst.at < COALESCE_MS;
      const isContinued = burst !== undefined && lastBurst?.name === burst && (isTyped || isSoon);
      lastBurst = burst === undefined ? null : { name: burst, at };
      if (isContinued) temporal().pause();
      change();
      if (isContinued) temporal().resume();
      if (isContinued && isTyped) dropEmptyStep();
    },
    amend: (change) => {
      temporal().pause();
      change();
      temporal().resume();
    },
    endBurst: () => {
      lastBurst = null;
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

/** Returns the name of the burst of the field that the user is typing in. */
function burstOf(place: TypingPlace | null): string | null {
  return place === null ? null : `${place.nodeId}.${place.field}`;
}

/** Edits share what they don't change, so only one node is compared by its content. */
function isSameContent(start: Partial<Tracked>, { definition, notes, orientation }: Tracked): boolean {
  const nodes = start.definition?.nodes ?? [];
  if (start.notes !== notes || start.orientation !== orientation) return false;
  if (start.definition?.edges !== definition.edges) return false;
  if (nodes.length !== definition.nodes.length) return false;
  return definition.nodes.every((node, at) => node === nodes[at] || JSON.stringify(node) === JSON.stringify(nodes[at]));
}
