import { type TemporalState, temporal } from "zundo";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition } from "#lib/contract/graph";
import type { Orientation } from "#lib/contract/schemas/canvas-choices";
import { type FreshNodes, hasChecks, NO_FRESH_NODES } from "@/components/canvas/document/analysis";
import type { Point, Size, Sizes } from "@/components/canvas/document/dimensions";
import { dragOffsets, NO_OFFSETS, type Offsets } from "@/components/canvas/document/drag-offsets";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { type Guide, NO_GUIDES } from "@/components/canvas/lines/snap-guides";
import { editorHistory } from "@/components/canvas/store/editor-history";
import { isSameTracked } from "@/components/canvas/store/is-same-tracked";
import { panelActions, selectionActions } from "@/components/canvas/store/selection-actions";

const UNDO_LIMIT = 100;

/** The open node picker: where the new node will go, and where on the screen the list opens. */
export interface Picker {
  spot: InsertSpot;
  anchor: Point;
  /** The edges of the card that leads to the spot, on the screen. */
  card?: { left: number; right: number };
  /** The app whose operations are listed first, with the connection of the new step if the user chose one. */
  app?: { connector: string; name: string; connectionId: string | null };
}

/** Asks the panel to show a field, after a click on a problem or Enter on a card. */
export interface FocusWish {
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

export interface EditorState {
  /** The document, its notes and its orientation. Undo and autosave depend on nothing else. */
  definition: Definition;
  notes: readonly CanvasNote[];
  orientation: Orientation;
  name: string;
  isReadOnly: boolean;
  /** True once the checks have loaded, so that the drawing shows its problems. */
  isChecked: boolean;
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
  /** True while the selected step is open in its workspace, over the drawing, instead of in the panel. */
  isFullSize: boolean;
  /** The panel's tab. The output tab stays open across nodes; other tabs reset with every node. */
  panelTab: PanelTab;
  /** Positions during a drag. They reach the document, and with it undo and autosave, when the drag ends. */
  dragPositions: Readonly<Record<string, Point>>;
  /** Offsets of the dragged nodes from their document positions, by id, including everything inside a dragged loop. */
  dragOffsets: Offsets;
  /** What the dragged nodes are aligned with. */
  guides: readonly Guide[];
  /** The loop that a drag would drop into. */
  dropFrame: string | null;
  sizes: Sizes;
  picker: Picker | null;
  focusWish: FocusWish | null;
  /**
   * The nodes that were just added, and which of their fields the user has left. Only the problems of those fields are
   * reported until the user publishes or tests.
   */
  freshNodes: FreshNodes;
  /** The field that the user is typing in; half-written content there is not reported as a problem. */
  typingIn: TypingPlace | null;
  /** True while cards glide to their places after tidying. */
  isGliding: boolean;
  /** True while the dialog that extracts the selection is open. */
  isExtracting: boolean;
}

interface EditOptions {
  select?: readonly string[];
  burst?: string | undefined;
  notes?: readonly CanvasNote[];
  orientation?: Orientation;
}

export interface EditorActions {
  /**
   * Replaces the document. Edits with the same `burst` in quick succession are one undo step.
   * @param burst for typing: the field, e.g. `condition.rules.0.left`
   * @param notes when they change together with the document; likewise the direction
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
  /** Same as `open`, in the workspace. */
  openFull: (nodeId: string) => void;
  /** Moves the open step between the workspace and the panel. */
  showFullSize: (isFullSize: boolean) => void;
  /** Same as `open`, for a node that was just added. */
  openFresh: (nodeId: string) => void;
  /** Lets a field of a node that was just added report its problems. */
  leaveField: (nodeId: string, field: string) => void;
  /** Reports the problems of nodes that were just added too: the user wants to publish or test. */
  showAllProblems: () => void;
  /** Must be called when the panel has shown the requested field. */
  serveWish: () => void;
  /** Updates the id of the selected node; the panel and the picker stay open. */
  follow: (fromId: string, toId: string) => void;
  closePanel: () => void;
  showTab: (tab: PanelTab) => void;
  /** Selects a node and shows its last output. */
  openOutput: (nodeId: string) => void;
  measure: (sizes: Readonly<Record<string, Size>>) => void;
  drag: (positions: Readonly<Record<string, Point>>, dropFrame: string | null, guides?: readonly Guide[]) => void;
  openPicker: (picker: Picker) => void;
  closePicker: () => void;
  typeIn: (place: TypingPlace | null) => void;
  glide: (isGliding: boolean) => void;
  /** Opens or closes the dialog that extracts the selection as a sub-workflow. */
  extract: (isExtracting: boolean) => void;
  undo: () => void;
  redo: () => void;
}

export type CanvasEditor = EditorState & EditorActions;
export type Tracked = Pick<EditorState, "definition" | "notes" | "orientation">;
export type EditorStore = StoreApi<CanvasEditor> & { temporal: StoreApi<TemporalState<Tracked>> };

interface EditorOptions {
  definition: Definition;
  notes?: readonly CanvasNote[];
  orientation?: Orientation;
  name: string;
  isReadOnly: boolean;
  now: () => number;
}

/** Creates the editor of an open workflow. */
export function createEditorStore(options: EditorOptions): EditorStore {
  const store: EditorStore = createStore<CanvasEditor>()(
    temporal((set, get) => createEditor(options, set, get, () => store.temporal), {
      limit: UNDO_LIMIT,
      partialize: ({ definition, notes, orientation }): Tracked => ({ definition, notes, orientation }),
      equality: isSameTracked,
    }),
  );
  return store;
}

export type SetEditor = (partial: Partial<CanvasEditor> | ((state: CanvasEditor) => Partial<CanvasEditor>)) => void;

function initialState({
  definition,
  notes = [],
  orientation = "vertical",
  name,
  isReadOnly,
}: EditorOptions): EditorState {
  return {
    definition,
    notes,
    orientation,
    name,
    isReadOnly,
    isChecked: hasChecks(),
    selectedNodeIds: [],
    selectedEdgeIds: [],
    selectedNoteIds: [],
    writtenNoteId: null,
    isChoosing: false,
    selectionSerial: 0,
    isPanelOpen: false,
    isFullSize: false,
    panelTab: "setup",
    dragPositions: {},
    dragOffsets: NO_OFFSETS,
    guides: NO_GUIDES,
    dropFrame: null,
    sizes: {},
    picker: null,
    focusWish: null,
    freshNodes: NO_FRESH_NODES,
    typingIn: null,
    isGliding: false,
    isExtracting: false,
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
    edit: (definition, { select, burst, notes = get().notes, orientation = get().orientation } = {}) => {
      const before = get();
      const after = { definition, notes, orientation };
      if (before.isReadOnly || isSameTracked(before, after)) return;
      history.record(burst, () => set(after));
      if (select !== undefined) get().select(select);
    },
    editNotes: (notes, burst) => get().edit(get().definition, { notes, burst }),
    rename: (name) => !get().isReadOnly && set({ name }),
    ...selectionActions(set, get),
    ...panelActions(set, get),
    typeIn: (typingIn) => {
      // The field's editor can replace the plain field while the user types in it.
      if (isSamePlace(typingIn, get().typingIn)) return;
      history.endBurst();
      set({ typingIn });
    },
    measure: (sizes) => set((state) => ({ sizes: { ...state.sizes, ...sizes } })),
    drag: (dragPositions, dropFrame, guides = NO_GUIDES) =>
      set({ dragPositions, dragOffsets: dragOffsets(get(), dragPositions), dropFrame, guides }),
    openPicker: (picker) => !get().isReadOnly && set({ picker }),
    closePicker: () => set({ picker: null }),
    glide: (isGliding) => set({ isGliding }),
    extract: (isExtracting) => set((state) => ({ isExtracting: isExtracting && !state.isReadOnly })),
    absorb: history.absorb,
    undo: history.undo,
    redo: history.redo,
  };
}

function isSamePlace(a: TypingPlace | null, b: TypingPlace | null): boolean {
  return a === b || (a !== null && a.nodeId === b?.nodeId && a.field === b.field);
}
