import { type TemporalState, temporal } from "zundo";
import { createStore, type StoreApi } from "zustand/vanilla";
import { type DialogsSlice, dialogsSlice } from "@/components/canvas/store/dialogs-slice";
import {
  type DocumentOptions,
  type DocumentSlice,
  documentSlice,
  isSameTracked,
  type Tracked,
} from "@/components/canvas/store/document-slice";
import { type DragSlice, dragSlice } from "@/components/canvas/store/drag-slice";
import { type EditorHistory, editorHistory } from "@/components/canvas/store/editor-history";
import { type PanelSlice, panelSlice } from "@/components/canvas/store/panel-slice";
import { type SelectionSlice, selectionSlice } from "@/components/canvas/store/selection-slice";

const UNDO_LIMIT = 100;

/** The editor of an open workflow. Each slice has its fields and the actions that change them. */
export interface CanvasEditor extends DocumentSlice, SelectionSlice, PanelSlice, DragSlice, DialogsSlice {}

export type EditorStore = StoreApi<CanvasEditor> & { temporal: StoreApi<TemporalState<Tracked>> };

/** What a slice is made with: the whole editor, because some actions change two slices at once. */
export interface SliceInput {
  set: (partial: Partial<CanvasEditor> | ((state: CanvasEditor) => Partial<CanvasEditor>)) => void;
  get: () => CanvasEditor;
  history: EditorHistory;
}

/** Creates the editor of an open workflow. */
export function createEditorStore(options: DocumentOptions & { now: () => number }): EditorStore {
  const store: EditorStore = createStore<CanvasEditor>()(
    temporal(
      (set, get) => {
        const history = editorHistory({ set, get, temporalStore: () => store.temporal, now: options.now });
        const input: SliceInput = { set, get, history };
        return {
          ...documentSlice(options, input),
          ...selectionSlice(input),
          ...panelSlice(input),
          ...dragSlice(input),
          ...dialogsSlice(input),
        };
      },
      {
        limit: UNDO_LIMIT,
        partialize: ({ definition, notes, orientation }): Tracked => ({ definition, notes, orientation }),
        equality: isSameTracked,
      },
    ),
  );
  return store;
}
