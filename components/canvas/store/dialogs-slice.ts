import type { Point } from "@/components/canvas/document/dimensions";
import { followSpot, type InsertSpot } from "@/components/canvas/document/insert-spot";
import type { SliceInput } from "@/components/canvas/store/editor-store";

/** The open node picker: where the new node will go, and where on the screen the list opens. */
export interface Picker {
  spot: InsertSpot;
  anchor: Point;
  /** The edges of the card that leads to the spot, on the screen. */
  card?: { left: number; right: number };
  /** The app whose operations are listed first, with the connection of the new step if the user chose one. */
  app?: { connector: string; name: string; connectionId: string | null };
}

interface DialogsState {
  picker: Picker | null;
  /** True while the dialog that extracts the selection is open. */
  isExtracting: boolean;
}

interface DialogsActions {
  openPicker: (picker: Picker) => void;
  closePicker: () => void;
  /** Opens or closes the dialog that extracts the selection as a sub-workflow. */
  extract: (isExtracting: boolean) => void;
}

export type DialogsSlice = DialogsState & DialogsActions;

/** What is open over the drawing. A read-only user opens none of it. */
export function dialogsSlice({ set, get }: SliceInput): DialogsSlice {
  return {
    picker: null,
    isExtracting: false,
    openPicker: (picker) => !get().isReadOnly && set({ picker }),
    closePicker: () => set({ picker: null }),
    extract: (isExtracting) => set((state) => ({ isExtracting: isExtracting && !state.isReadOnly })),
  };
}

/** The name of a step is saved after the click that opened the picker. */
export function followPicker({ picker }: DialogsState, fromId: string, toId: string): Partial<DialogsState> {
  return { picker: picker && { ...picker, spot: followSpot(picker.spot, fromId, toId) } };
}
