import { type TemporalState, temporal } from "zundo";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Definition } from "#lib/contract/graph";
import type { Point, Size, Sizes } from "@/components/canvas/dimensions";
import type { InsertSpot } from "@/components/canvas/document/insert-node";
import { changedNodeIds } from "@/components/canvas/store/changed-nodes";

const UNDO_LIMIT = 100;
/** Keystrokes in one field closer together than this are one undo step. */
const COALESCE_MS = 500;

/** The node picker: where the chosen node will go and where on the screen the list opens. */
export interface Picker {
  spot: InsertSpot;
  anchor: Point;
}

/** Asks the panel to show a field: a problem was clicked, or Enter pressed. */
export interface FocusWish {
  nodeId: string;
  /** Dotted path inside the node's data; null is the first field. */
  field: string | null;
}

export type PanelTab = "setup" | "retries" | "output";

export interface TypingPlace {
  nodeId: string;
  field: string;
}

export interface EditorState {
  /** THE document. Undo and autosave look at nothing else. */
  definition: Definition;
  name: string;
  isReadOnly: boolean;
  selectedNodeIds: readonly string[];
  selectedEdgeIds: readonly string[];
  /** Counts selections made by hand, so that the panel starts anew for another node but survives a change of id. */
  selectionSerial: number;
  isPanelOpen: boolean;
  /** The panel's tab. Whoever walks through outputs stays with them; other tabs begin anew with every node. */
  panelTab: PanelTab;
  /** Positions while a drag goes on. They reach the document, and with it undo and autosave, when it ends. */
  dragPositions: Readonly<Record<string, Point>>;
  /** The loop that a drag would drop into. */
  dropFrame: string | null;
  sizes: Sizes;
  picker: Picker | null;
  focusWish: FocusWish | null;
  /** The node just added: its empty fields are not held against anyone yet. */
  freshNodeId: string | null;
  /** The field being typed into: what is half written there is nobody's mistake yet. */
  typingIn: TypingPlace | null;
  /** True while cards glide to their places after tidying. */
  isGliding: boolean;
}

export interface EditorActions {
  /**
   * Replaces the document. Edits with the same `burst` in quick succession are one undo step.
   * @param burst for typing: the field, e.g. `condition.rules.0.left`
   */
  edit: (definition: Definition, options?: { select?: readonly string[]; burst?: string }) => void;
  rename: (name: string) => void;
  select: (nodeIds: readonly string[], edgeIds?: readonly string[]) => void;
  /** Selects a node and opens its panel, at a field if one is named. */
  open: (nodeId: string, field?: string | null) => void;
  /** The same for a node that was just added. */
  openFresh: (nodeId: string) => void;
  /** The panel has shown what was wished for. */
  serveWish: () => void;
  /** The selected node has got another id: the panel stays as it is. */
  follow: (fromId: string, toId: string) => void;
  closePanel: () => void;
  showTab: (tab: PanelTab) => void;
  /** Selects a node and shows what it last gave. */
  openOutput: (nodeId: string) => void;
  measure: (sizes: Readonly<Record<string, Size>>) => void;
  drag: (positions: Readonly<Record<string, Point>>, dropFrame: string | null) => void;
  openPicker: (picker: Picker) => void;
  closePicker: () => void;
  typeIn: (place: TypingPlace | null) => void;
  glide: (isGliding: boolean) => void;
  undo: () => void;
  redo: () => void;
}

export type Editor = EditorState & EditorActions;
type Tracked = Pick<EditorState, "definition">;
export type EditorStore = StoreApi<Editor> & { temporal: StoreApi<TemporalState<Tracked>> };

interface EditorOptions {
  definition: Definition;
  name: string;
  isReadOnly: boolean;
  now: () => number;
}

/** One editor per open workflow. */
export function createEditorStore(options: EditorOptions): EditorStore {
  const store: EditorStore = createStore<Editor>()(
    temporal((set, get) => createEditor(options, set, get, () => store.temporal.getState()), {
      limit: UNDO_LIMIT,
      partialize: (state): Tracked => ({ definition: state.definition }),
      equality: (past, current) => past.definition === current.definition,
    }),
  );
  return store;
}

type Set = (partial: Partial<Editor> | ((state: Editor) => Partial<Editor>)) => void;

function initialState({ definition, name, isReadOnly }: EditorOptions): EditorState {
  return {
    definition,
    name,
    isReadOnly,
    selectedNodeIds: [],
    selectedEdgeIds: [],
    selectionSerial: 0,
    isPanelOpen: false,
    panelTab: "setup",
    dragPositions: {},
    dropFrame: null,
    sizes: {},
    picker: null,
    focusWish: null,
    freshNodeId: null,
    typingIn: null,
    isGliding: false,
  };
}

function createEditor(
  options: EditorOptions,
  set: Set,
  get: () => Editor,
  history: () => TemporalState<Tracked>,
): Editor {
  let lastBurst: { name: string; at: number } | null = null;

  /** Later keystrokes of one burst are not recorded: the entry made at its first already leads back before it. */
  function record(burst: string | undefined, change: () => void): void {
    const now = options.now();
    const isContinued = burst !== undefined && lastBurst?.name === burst && now - lastBurst.at < COALESCE_MS;
    lastBurst = burst === undefined ? null : { name: burst, at: now };
    if (isContinued) history().pause();
    change();
    if (isContinued) history().resume();
  }

  /** Undo shows where it did something: what it changed is selected (a selection of vanished nodes would be of no use). */
  function travel(step: () => void): void {
    lastBurst = null;
    const before = get().definition;
    step();
    const after = get().definition;
    if (after === before) return;
    const changed = changedNodeIds(before, after);
    const kept = get().selectedNodeIds.filter((id) => after.nodes.some((node) => node.id === id));
    const selectedNodeIds = changed.length > 0 ? changed : kept;
    set((state) => ({ selectedNodeIds, selectedEdgeIds: [], selectionSerial: state.selectionSerial + 1 }));
  }

  return {
    ...initialState(options),
    edit: (definition, { select, burst } = {}) => {
      if (get().isReadOnly || definition === get().definition) return;
      record(burst, () => set({ definition }));
      if (select !== undefined) get().select(select);
    },
    rename: (name) => !get().isReadOnly && set({ name }),
    ...selectionActions(set, get),
    measure: (sizes) => set((state) => ({ sizes: { ...state.sizes, ...sizes } })),
    drag: (dragPositions, dropFrame) => set({ dragPositions, dropFrame }),
    openPicker: (picker) => !get().isReadOnly && set({ picker }),
    closePicker: () => set({ picker: null }),
    typeIn: (typingIn) => set({ typingIn }),
    glide: (isGliding) => set({ isGliding }),
    undo: () => travel(() => history().undo()),
    redo: () => travel(() => history().redo()),
  };
}

function selectionActions(
  set: Set,
  get: () => Editor,
): Pick<
  EditorActions,
  "select" | "open" | "openFresh" | "openOutput" | "serveWish" | "follow" | "closePanel" | "showTab"
> {
  const wish = (nodeId: string, field: string | null) =>
    set({ isPanelOpen: true, panelTab: tabOfField(field), focusWish: { nodeId, field } });
  return {
    select: (nodeIds, edgeIds = []) => {
      const { selectedNodeIds, selectedEdgeIds } = get();
      if (isSameList(nodeIds, selectedNodeIds) && isSameList(edgeIds, selectedEdgeIds)) return;
      set((state) => ({
        selectedNodeIds: nodeIds,
        selectedEdgeIds: edgeIds,
        isPanelOpen: nodeIds.length === 1,
        panelTab: state.panelTab === "output" ? "output" : "setup",
        freshNodeId: null,
        // A field that goes with its panel never hears that it was left.
        typingIn: null,
        selectionSerial: state.selectionSerial + 1,
      }));
    },
    open: (nodeId, field = null) => {
      get().select([nodeId]);
      wish(nodeId, field);
    },
    openFresh: (nodeId) => {
      get().select([nodeId]);
      set({ freshNodeId: nodeId });
      wish(nodeId, null);
    },
    openOutput: (nodeId) => {
      get().select([nodeId]);
      set({ isPanelOpen: true, panelTab: "output" });
    },
    showTab: (panelTab) => set({ panelTab }),
    serveWish: () => set({ focusWish: null }),
    follow: (fromId, toId) =>
      set((state) => ({
        selectedNodeIds: state.selectedNodeIds.map((id) => (id === fromId ? toId : id)),
        freshNodeId: state.freshNodeId === fromId ? toId : state.freshNodeId,
      })),
    closePanel: () => set({ isPanelOpen: false, typingIn: null }),
  };
}

const RETRY_FIELDS: ReadonlySet<string> = new Set(["maxRetries", "continueOnFailure"]);

/** On which tab of the panel a field stands. */
function tabOfField(field: string | null): PanelTab {
  return field !== null && RETRY_FIELDS.has(field) ? "retries" : "setup";
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
