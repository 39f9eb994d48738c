import { type FreshNodes, NO_FRESH_NODES } from "@/components/canvas/document/analysis";
import { followId } from "@/components/canvas/document/rename-node";
import type { CanvasEditor, SliceInput } from "@/components/canvas/store/editor-store";

/** Asks the panel to show a field, after a click on a problem or Enter on a card. */
interface FocusWish {
  nodeId: string;
  /** Dotted path inside the node's data; null for the first field. */
  field: string | null;
  /** True if the node was just added: the first field that is still empty comes first. */
  isFresh: boolean;
}

export type PanelTab = "setup" | "retries" | "output";

export interface TypingPlace {
  nodeId: string;
  field: string;
}

interface PanelState {
  isPanelOpen: boolean;
  /** True while the selected step is open in its workspace, over the drawing, instead of in the panel. */
  isFullSize: boolean;
  /** The panel's tab. The output tab stays open across nodes; other tabs reset with every node. */
  panelTab: PanelTab;
  focusWish: FocusWish | null;
  /**
   * The nodes that were just added, and which of their fields the user has left. Only the problems of those fields are
   * reported until the user publishes or tests.
   */
  freshNodes: FreshNodes;
  /** The selection that adding the last step made; while it is the current one, the next step continues the flow. */
  freshSerial: number | null;
  /** The field that the user is typing in; half-written content there is not reported as a problem. */
  typingIn: TypingPlace | null;
}

interface PanelActions {
  /** Selects a node and opens its panel, at a field if one is named. */
  open: (nodeId: string, field?: string | null) => void;
  /** Same as `open`, in the workspace. */
  openFull: (nodeId: string) => void;
  /** Moves the open step between the workspace and the panel. */
  showFullSize: (isFullSize: boolean) => void;
  /** Same as `open`, for a node that was just added. */
  openFresh: (nodeId: string) => void;
  /** Selects a node and shows its last output. */
  openOutput: (nodeId: string) => void;
  closePanel: () => void;
  showTab: (tab: PanelTab) => void;
  /** Must be called when the panel has shown the requested field. */
  serveWish: () => void;
  /** Lets a field of a node that was just added report its problems. */
  leaveField: (nodeId: string, field: string) => void;
  /** Reports the problems of nodes that were just added too: the user wants to publish or test. */
  showAllProblems: () => void;
  typeIn: (place: TypingPlace | null) => void;
}

export type PanelSlice = PanelState & PanelActions;

export const PANEL_CLOSED = { isPanelOpen: false, isFullSize: false } as const;

/** The panel of the selected step, and what the user does in it. */
export function panelSlice({ set, get, history }: SliceInput): PanelSlice {
  const wish = (nodeId: string, field: string | null, isFresh = false) =>
    set({ isPanelOpen: true, panelTab: tabOfField(field), focusWish: { nodeId, field, isFresh } });
  return {
    ...PANEL_CLOSED,
    panelTab: "setup",
    focusWish: null,
    freshNodes: NO_FRESH_NODES,
    freshSerial: null,
    typingIn: null,
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
      set((state) => ({
        freshNodes: { ...state.freshNodes, [nodeId]: [] },
        freshSerial: state.selectionSerial,
      }));
      wish(nodeId, null, true);
    },
    openOutput: (nodeId) => {
      get().select([nodeId]);
      set({ isPanelOpen: true, panelTab: "output" });
    },
    closePanel: () => set({ ...PANEL_CLOSED, typingIn: null }),
    showTab: (panelTab) => set({ panelTab }),
    serveWish: () => set({ focusWish: null }),
    leaveField: (nodeId, field) => {
      const { freshNodes } = get();
      const left = freshNodes[nodeId];
      if (left === undefined || left.includes(field)) return;
      set({ freshNodes: { ...freshNodes, [nodeId]: [...left, field] } });
    },
    showAllProblems: () => set({ freshNodes: NO_FRESH_NODES }),
    typeIn: (typingIn) => {
      // The field's editor can replace the plain field while the user types in it.
      if (isSamePlace(typingIn, get().typingIn)) return;
      history.endBurst();
      set({ typingIn });
    },
  };
}

/** Returns the panel after another selection. */
export function panelOfSelection({ isFullSize, panelTab }: PanelState, isOneStep: boolean): Partial<PanelState> {
  return {
    isPanelOpen: isOneStep,
    isFullSize: isFullSize && isOneStep,
    panelTab: panelTab === "output" ? "output" : "setup",
    // A field that is removed with its panel never gets a blur event.
    typingIn: null,
  };
}

export function followFresh({ freshNodes }: PanelState, fromId: string, toId: string): Partial<PanelState> {
  return { freshNodes: followId(freshNodes, fromId, toId) };
}

/** Returns the step that is open in its workspace, over the drawing; null if none is, or if it no longer exists. */
export function fullNodeId({ isFullSize, selectedNodeIds, definition }: CanvasEditor): string | null {
  const [nodeId] = selectedNodeIds;
  return isFullSize && nodeId !== undefined && definition.nodes.some(({ id }) => id === nodeId) ? nodeId : null;
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

function isSamePlace(a: TypingPlace | null, b: TypingPlace | null): boolean {
  return a === b || (a !== null && a.nodeId === b?.nodeId && a.field === b.field);
}
