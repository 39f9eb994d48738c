import { type TemporalState, temporal } from "zundo";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition } from "#lib/contract/graph";
import type { Point, Size, Sizes } from "@/components/canvas/document/dimensions";
import { dragOffsets, NO_OFFSETS, type Offsets } from "@/components/canvas/document/drag-offsets";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { editorHistory } from "@/components/canvas/store/editor-history";
import { panelActions, selectionActions } from "@/components/canvas/store/selection-actions";

const UNDO_LIMIT = 100;

/** The open node picker: where the new node will go, and where on the screen the list opens. */
export interface Picker {
  spot: InsertSpot;
  anchor: Point;
}

/** Asks the panel to show a field, after a click on a problem or Enter on a card. */
export interface FocusWish {
  nodeId: string;
  /** Dotted path inside the node's data; null for the first field. */
  field: string | null;
}

export type PanelTab = "setup" | "retries" | "output";

export interface TypingPlace {
  nodeId: string;
  field: string;
}

export interface EditorState {
  /** The document and its notes. Undo and autosave depend on nothing else. */
  definition: Definition;
  notes: readonly CanvasNote[];
  name: string;
  isReadOnly: boolean;
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
  isPanelOpen: boolean;
  /** The panel's tab. The output tab stays open across nodes; other tabs reset with every node. */
  panelTab: PanelTab;
  /** Positions during a drag. They reach the document, and with it undo and autosave, when the drag ends. */
  dragPositions: Readonly<Record<string, Point>>;
  /** Offsets of the dragged nodes from their document positions, by id, including everything inside a dragged loop. */
  dragOffsets: Offsets;
  /** The loop that a drag would drop into. */
  dropFrame: string | null;
  sizes: Sizes;
  picker: Picker | null;
  focusWish: FocusWish | null;
  /** The node that was just added; its empty fields are not reported as problems yet. */
  freshNodeId: string | null;
  /** The field that the user is typing in; half-written content there is not reported as a problem. */
  typingIn: TypingPlace | null;
  /** True while cards glide to their places after tidying. */
  isGliding: boolean;
}

interface EditOptions {
  select?: readonly string[];
  burst?: string | undefined;
  notes?: readonly CanvasNote[];
}

export interface EditorActions {
  /**
   * Replaces the document. Edits with the same `burst` in quick succession are one undo step.
   * @param burst for typing: the field, e.g. `condition.rules.0.left`
   * @param notes when they change together with the document
   */
  edit: (definition: Definition, options?: EditOptions) => void;
  /** Replaces the notes. */
  editNotes: (notes: readonly CanvasNote[], burst?: string) => void;
  rename: (name: string) => void;
  /**
   * Merges other users' changes into the document and into the undo steps, so that undo keeps them.
   * @param absorb returns null if an undo step conflicts with their changes; the history then ends before that step
   */
  absorb: (absorb: (tracked: Tracked) => Tracked | null, name: string) => void;
  select: (nodeIds: readonly string[], edgeIds?: readonly string[], noteIds?: readonly string[]) => void;
  chooseSeveral: (isChoosing: boolean) => void;
  /** Adds a step or a note to the selection or removes it, without opening a panel. */
  toggleChosen: (id: string) => void;
  /** Selects a note and opens it for editing; null ends editing. */
  writeNote: (noteId: string | null) => void;
  /** Selects a node and opens its panel, at a field if one is named. */
  open: (nodeId: string, field?: string | null) => void;
  /** Same as `open`, for a node that was just added. */
  openFresh: (nodeId: string) => void;
  /** Must be called when the panel has shown the requested field. */
  serveWish: () => void;
  /** Updates the id of the selected node; the panel stays open. */
  follow: (fromId: string, toId: string) => void;
  closePanel: () => void;
  showTab: (tab: PanelTab) => void;
  /** Selects a node and shows its last output. */
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

export type CanvasEditor = EditorState & EditorActions;
export type Tracked = Pick<EditorState, "definition" | "notes">;
export type EditorStore = StoreApi<CanvasEditor> & { temporal: StoreApi<TemporalState<Tracked>> };

interface EditorOptions {
  definition: Definition;
  notes?: readonly CanvasNote[];
  name: string;
  isReadOnly: boolean;
  now: () => number;
}

/** Creates the editor of an open workflow. */
export function createEditorStore(options: EditorOptions): EditorStore {
  const store: EditorStore = createStore<CanvasEditor>()(
    temporal((set, get) => createEditor(options, set, get, () => store.temporal), {
      limit: UNDO_LIMIT,
      partialize: ({ definition, notes }): Tracked => ({ definition, notes }),
      equality: (past, current) => past.definition === current.definition && past.notes === current.notes,
    }),
  );
  return store;
}

export type SetEditor = (partial: Partial<CanvasEditor> | ((state: CanvasEditor) => Partial<CanvasEditor>)) => void;

function initialState({ definition, notes = [], name, isReadOnly }: EditorOptions): EditorState {
  return {
    definition,
    notes,
    name,
    isReadOnly,
    selectedNodeIds: [],
    selectedEdgeIds: [],
    selectedNoteIds: [],
    writtenNoteId: null,
    isChoosing: false,
    selectionSerial: 0,
    isPanelOpen: false,
    panelTab: "setup",
    dragPositions: {},
    dragOffsets: NO_OFFSETS,
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
  set: SetEditor,
  get: () => CanvasEditor,
  temporalStore: () => StoreApi<TemporalState<Tracked>>,
): CanvasEditor {
  const history = editorHistory({ set, get, temporalStore, now: options.now });
  return {
    ...initialState(options),
    edit: (definition, { select, burst, notes = get().notes } = {}) => {
      const before = get();
      if (before.isReadOnly || (definition === before.definition && notes === before.notes)) return;
      history.record(burst, () => set({ definition, notes }));
      if (select !== undefined) get().select(select);
    },
    editNotes: (notes, burst) => get().edit(get().definition, { notes, burst }),
    rename: (name) => !get().isReadOnly && set({ name }),
    ...selectionActions(set, get),
    ...panelActions(set, get),
    measure: (sizes) => set((state) => ({ sizes: { ...state.sizes, ...sizes } })),
    drag: (dragPositions, dropFrame) =>
      set({ dragPositions, dragOffsets: dragOffsets(get(), dragPositions), dropFrame }),
    openPicker: (picker) => !get().isReadOnly && set({ picker }),
    closePicker: () => set({ picker: null }),
    glide: (isGliding) => set({ isGliding }),
    absorb: history.absorb,
    undo: history.undo,
    redo: history.redo,
  };
}
