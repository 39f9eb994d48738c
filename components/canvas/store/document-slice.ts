import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { Definition } from "#lib/contract/workflow/graph";
import { hasChecks } from "@/components/canvas/document/analysis";
import type { SliceInput } from "@/components/canvas/store/editor-store";

/** What undo restores and autosave saves, with the name, which only autosave saves. */
export interface DocumentState {
  definition: Definition;
  notes: readonly CanvasNote[];
  orientation: Orientation;
  name: string;
  isReadOnly: boolean;
  /** True once the checks have loaded. Until then, the problems are those that the server found. */
  isChecked: boolean;
  /**
   * True if the last change of the drawing is an edit on this page that did not lay it out. Cards that grow then push
   * others away. Another user's page has done that for their edits, and looking at a drawing must not change it.
   */
  isOwnEdit: boolean;
}

/** What an undo step restores. */
export type Tracked = Pick<DocumentState, "definition" | "notes" | "orientation">;

interface EditOptions {
  select?: readonly string[];
  burst?: string | undefined;
  notes?: readonly CanvasNote[];
  orientation?: Orientation;
}

interface DocumentActions {
  /**
   * Replaces the document. Edits with the same `burst` in quick succession are one undo step.
   * @param burst for typing: the field, e.g. `condition.rules.0.left`
   * @param notes when they change together with the document; likewise the direction
   */
  edit: (definition: Definition, options?: EditOptions) => void;
  /** Replaces the document as a part of the last edit: one undo step reverts both. */
  amend: (definition: Definition) => void;
  /** Replaces the notes. */
  editNotes: (notes: readonly CanvasNote[], burst?: string) => void;
  rename: (name: string) => void;
  /**
   * Merges other users' changes into the document and into the undo steps, so that undo keeps them.
   * @param absorb returns null if an undo step conflicts with their changes; the history then ends before that step
   */
  absorb: (absorb: (tracked: Tracked) => Tracked | null, name: string) => void;
  undo: () => void;
  redo: () => void;
}

export type DocumentSlice = DocumentState & DocumentActions;

export interface DocumentOptions {
  definition: Definition;
  notes?: readonly CanvasNote[];
  orientation?: Orientation;
  name: string;
  isReadOnly: boolean;
}

/** The drawing that is edited. A read-only user changes none of it. */
export function documentSlice(options: DocumentOptions, { set, get, history }: SliceInput): DocumentSlice {
  const { definition, notes = [], orientation = "vertical", name, isReadOnly } = options;
  return {
    definition,
    notes,
    orientation,
    name,
    isReadOnly,
    isChecked: hasChecks(),
    isOwnEdit: false,
    edit: (definition, { select, burst, notes = get().notes, orientation = get().orientation } = {}) => {
      const before = get();
      const after = { definition, notes, orientation };
      if (before.isReadOnly || isSameTracked(before, after)) return;
      history.record(burst, () => set({ ...after, isOwnEdit: orientation === before.orientation }));
      if (select !== undefined) get().select(select);
    },
    amend: (definition) => history.amend(() => set({ definition })),
    editNotes: (notes, burst) => get().edit(get().definition, { notes, burst }),
    rename: (name) => !get().isReadOnly && set({ name }),
    absorb: (absorb, name) => {
      history.absorb(absorb, name);
      set({ isOwnEdit: false });
    },
    undo: history.undo,
    redo: history.redo,
  };
}

/** Returns true if nothing differs that undo restores and autosave saves. */
export function isSameTracked(past: Tracked, current: Tracked): boolean {
  return (
    past.definition === current.definition && past.notes === current.notes && past.orientation === current.orientation
  );
}
