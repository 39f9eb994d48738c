/**
 * Sizes of the drawing in CSS pixels at zoom 1. Rendering and layout read the same numbers, so they can't drift apart.
 */
export const GRID = 20;
export const CARD_WIDTH = 280;
export const CARD_HEADER_HEIGHT = 36;
/** Line height of the dense type size (see app/globals.css). */
const SUMMARY_LINE_HEIGHT = 18;
export const SUMMARY_PADDING = 12;
export const CARD_FOOTER_HEIGHT = 29;
/** Approximate characters per summary line, in 12 px Plex Sans with the tile's indent. */
const SUMMARY_LINE_CHARACTERS = 36;
export const SUMMARY_LINES_MAX = 2;

export const RANK_GAP = 56;
export const NODE_GAP = 40;
export const EDGE_RADIUS = 8;

/** Padding of a loop's frame around its body: below its line of text, at the sides, and under the last add button. */
export const FRAME_TOP = 40;
export const FRAME_PADDING = 20;
export const FRAME_BOTTOM = 60;
export const FRAME_WIDTH_MIN = CARD_WIDTH + 2 * FRAME_PADDING;
/** Size of a loop without a body. */
export const FRAME_HEIGHT_MIN = 160;

export interface Point {
  x: number;
  y: number;
}
export interface Size {
  width: number;
  height: number;
}
export interface Box extends Point, Size {}

/**
 * Height of a card with everything it can show. New cards reserve this much room, because they grow while users fill
 * them in.
 */
export const FULL_CARD_HEIGHT = estimateCardHeight(SUMMARY_LINE_CHARACTERS * SUMMARY_LINES_MAX, true);

/** Sizes by node id, as measured by the browser. */
export type Sizes = Readonly<Record<string, Size>>;

/**
 * Returns the expected height of a card, for layout before the browser has measured it and for rendering on the server.
 */
export function estimateCardHeight(summaryCharacters: number, hasFooter: boolean): number {
  const lines = Math.min(SUMMARY_LINES_MAX, Math.max(1, Math.ceil(summaryCharacters / SUMMARY_LINE_CHARACTERS)));
  const summary = lines * SUMMARY_LINE_HEIGHT + SUMMARY_PADDING;
  return CARD_HEADER_HEIGHT + summary + (hasFooter ? CARD_FOOTER_HEIGHT : 0) + 2;
}

export function snapToGrid(value: number): number {
  return Math.round(value / GRID) * GRID;
}

/** Returns the smallest box around others, or null if there are none. */
export function unionOf(boxes: readonly Box[]): Box | null {
  const [first] = boxes;
  if (first === undefined) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
