import { NO_FRESH_NODES } from "@/components/canvas/document/analysis";
import { isNoteId } from "@/components/canvas/document/canvas-notes";
import { followSpot } from "@/components/canvas/document/insert-spot";
import { followId } from "@/components/canvas/document/rename-node";
import type { CanvasEditor, EditorActions, PanelTab, SetEditor } from "@/components/canvas/store/editor-store";

type SelectionActions = Pick<EditorActions, "select" | "chooseSeveral" | "toggleChosen" | "writeNote" | "follow">;

/** Creates the actions that change the selection. */
export function selectionActions(set: SetEditor, get: () => CanvasEditor): SelectionActions {
  return {
    select: (nodeIds, edgeIds = [], noteIds = []) => {
      const { selectedNodeIds, selectedEdgeIds, selectedNoteIds } = get();
      const isSame = isSameList(nodeIds, selectedNodeIds) && isSameList(edgeIds, selectedEdgeIds);
      if (isSame && isSameList(noteIds, selectedNoteIds)) return;
      set((state) => ({
        selectedNodeIds: nodeIds,
        selectedEdgeIds: edgeIds,
        selectedNoteIds: noteIds,
        writtenNoteId: noteIds.find((id) => id === state.writtenNoteId) ?? null,
        isPanelOpen: nodeIds.length === 1 && noteIds.length === 0,
        isFullSize: state.isFullSize && nodeIds.length === 1 && noteIds.length === 0,
        panelTab: state.panelTab === "output" ? "output" : "setup",
        // A field that is removed with its panel never gets a blur event.
        typingIn: null,
        selectionSerial: state.selectionSerial + 1,
      }));
    },
    chooseSeveral: (isChoosing) => set({ isChoosing, isPanelOpen: false, isFullSize: false }),
    toggleChosen: (id) => {
      const { selectedNodeIds, selectedNoteIds } = get();
      const toggled = (ids: readonly string[]) =>
        ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];
      if (isNoteId(id)) get().select(selectedNodeIds, [], toggled(selectedNoteIds));
      else get().select(toggled(selectedNodeIds), [], selectedNoteIds);
      set({ isPanelOpen: false, isFullSize: false });
    },
    writeNote: (noteId) => {
      if (noteId !== null) get().select([], [], [noteId]);
      set({ writtenNoteId: get().isReadOnly ? null : noteId });
    },
    follow: (fromId, toId) =>
      set((state) => ({
        selectedNodeIds: state.selectedNodeIds.map((id) => (id === fromId ? toId : id)),
        freshNodes: followId(state.freshNodes, fromId, toId),
        // Otherwise the lines at the card would move to an estimated place and back, away from the pointer.
        sizes: followId(state.sizes, fromId, toId),
        // The name of a step is saved after the click that opened the picker.
        picker: state.picker && { ...state.picker, spot: followSpot(state.picker.spot, fromId, toId) },
      })),
  };
}

type PanelActions = Pick<
  EditorActions,
  | "open"
  | "openFull"
  | "showFullSize"
  | "openFresh"
  | "leaveField"
  | "showAllProblems"
  | "openOutput"
  | "serveWish"
  | "closePanel"
  | "showTab"
>;

/** The panel's state for the selected node. */
export function panelActions(set: SetEditor, get: () => CanvasEditor): PanelActions {
  const wish = (nodeId: string, field: string | null, isFresh = false) =>
    set({ isPanelOpen: true, panelTab: tabOfField(field), focusWish: { nodeId, field, isFresh } });
  return {
    open: (nodeId, field = null) => {
      get().select([nodeId]);
      wish(nodeId, field);
    },
    openFull: (nodeId) => {
      get().open(nodeId);
      set({ isFullSize: true });
    },
    showFullSize: (isFullSize) => set({ isFullSize }),
    openFresh: (nodeId) => {
      get().select([nodeId]);
      set((state) => ({ freshNodes: { ...state.freshNodes, [nodeId]: [] } }));
      wish(nodeId, null, true);
    },
    leaveField: (nodeId, field) => {
      const { freshNodes } = get();
      const left = freshNodes[nodeId];
      if (left === undefined || left.includes(field)) return;
      set({ freshNodes: { ...freshNodes, [nodeId]: [...left, field] } });
    },
    showAllProblems: () => set({ freshNodes: NO_FRESH_NODES }),
    openOutput: (nodeId) => {
      get().select([nodeId]);
      set({ isPanelOpen: true, panelTab: "output" });
    },
    showTab: (panelTab) => set({ panelTab }),
    serveWish: () => set({ focusWish: null }),
    closePanel: () => set({ isPanelOpen: false, isFullSize: false, typingIn: null }),
  };
}

const RETRY_FIELDS: ReadonlySet<string> = new Set([
  "maxRetries",
  "retryBackoff",
  "retryWaitSeconds",
  "continueOnFailure",
]);

/** Returns the panel tab that contains a field. */
function tabOfField(field: string | null): PanelTab {
  return field !== null && RETRY_FIELDS.has(field) ? "retries" : "setup";
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
