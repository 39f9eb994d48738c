/** Sizes of the drawing in CSS pixels at zoom 1. Rendering and layout read the same numbers, so they cannot drift. */
export const GRID = 20;
export const CARD_WIDTH = 280;
export const CARD_HEADER_HEIGHT = 36;
/** Line height of the dense type size, see app/globals.css. */
const SUMMARY_LINE_HEIGHT = 18;
export const SUMMARY_PADDING = 12;
export const CARD_FOOTER_HEIGHT = 29;
/** A line of the summary holds about this many characters of 12 px Plex Sans next to the tile's indent. */
const SUMMARY_LINE_CHARACTERS = 36;
export const SUMMARY_LINES_MAX = 2;

/** From an open output's port to the middle of its add button. */
export const OPEN_OUTPUT_DROP = 30;

export const RANK_GAP = 56;
export const NODE_GAP = 40;
/** Space a branch label takes between two ranks, added to the gap. */
export const BRANCH_LABEL_HEIGHT = 30;
export const EDGE_RADIUS = 8;

/** What a loop's frame keeps around its body: below its own line of text, at the sides, and under the last add button. */
export const FRAME_TOP = 40;
export const FRAME_PADDING = 20;
export const FRAME_BOTTOM = 60;
export const FRAME_WIDTH_MIN = CARD_WIDTH + 2 * FRAME_PADDING;
/** A loop without a body. */
export const FRAME_HEIGHT_MIN = 160;

export interface Point {
  x: number;
  y: number;
}
export interface Size {
  width: number;
  height: number;
}
/** A card with everything it can hold. New cards get that much room, because they grow while they are filled in. */
export const FULL_CARD_HEIGHT = estimateCardHeight(SUMMARY_LINE_CHARACTERS * SUMMARY_LINES_MAX, true);

/** Sizes by node id, as the browser measured them. */
export type Sizes = Readonly<Record<string, Size>>;

/** The height a card will have, for layout before the browser has measured it and for rendering on the server. */
export function estimateCardHeight(summaryCharacters: number, hasFooter: boolean): number {
  const lines = Math.min(SUMMARY_LINES_MAX, Math.max(1, Math.ceil(summaryCharacters / SUMMARY_LINE_CHARACTERS)));
  const summary = lines * SUMMARY_LINE_HEIGHT + SUMMARY_PADDING;
  return CARD_HEADER_HEIGHT + summary + (hasFooter ? CARD_FOOTER_HEIGHT : 0) + 2;
}

export function snapToGrid(value: number): number {
  return Math.round(value / GRID) * GRID;
}
