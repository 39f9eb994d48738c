import type { Point, Size, Sizes } from "@/components/canvas/document/dimensions";
import { dragOffsets, NO_OFFSETS, type Offsets } from "@/components/canvas/document/drag-offsets";
import { followId } from "@/components/canvas/document/rename-node";
import { type Guide, NO_GUIDES } from "@/components/canvas/lines/snap-guides";
import type { SliceInput } from "@/components/canvas/store/editor-store";

interface DragState {
  /** Positions during a drag. They reach the document, and with it undo and autosave, when the drag ends. */
  dragPositions: Readonly<Record<string, Point>>;
  /** Offsets of the dragged nodes from their document positions, by id, including everything inside a dragged loop. */
  dragOffsets: Offsets;
  /** What the dragged nodes are aligned with. */
  guides: readonly Guide[];
  /** The loop that a drag would drop into. */
  dropFrame: string | null;
  /** The sizes of the cards on the screen. */
  sizes: Sizes;
  /** True while cards glide to their places after tidying. */
  isGliding: boolean;
}

interface DragActions {
  drag: (positions: Readonly<Record<string, Point>>, dropFrame: string | null, guides?: readonly Guide[]) => void;
  measure: (sizes: Readonly<Record<string, Size>>) => void;
  glide: (isGliding: boolean) => void;
}

export type DragSlice = DragState & DragActions;

/** Where cards are on the screen while they are not where the document has them. */
export function dragSlice({ set, get }: SliceInput): DragSlice {
  return {
    dragPositions: {},
    dragOffsets: NO_OFFSETS,
    guides: NO_GUIDES,
    dropFrame: null,
    sizes: {},
    isGliding: false,
    drag: (dragPositions, dropFrame, guides = NO_GUIDES) =>
      set({ dragPositions, dragOffsets: dragOffsets(get(), dragPositions), dropFrame, guides }),
    measure: (sizes) => set((state) => ({ sizes: { ...state.sizes, ...sizes } })),
    glide: (isGliding) => set({ isGliding }),
  };
}

export function isDragging({ dragPositions }: DragState): boolean {
  return Object.keys(dragPositions).length > 0;
}

/** Otherwise the lines at the card would move to an estimated place and back, away from the pointer. */
export function followSizes({ sizes }: DragState, fromId: string, toId: string): Partial<DragState> {
  return { sizes: followId(sizes, fromId, toId) };
}
