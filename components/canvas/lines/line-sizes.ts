import type { Orientation } from "#lib/contract/workflow/canvas-choices";

/** Sizes of lines, labels and add buttons, in CSS pixels at zoom 1, shared by routing, layout and drawing. */

/** Distance between a card and the end of a line: half of a port. */
export const PORT_RADIUS = 4;
/** Minimum distance between a line and a card that it passes. */
export const CARD_CLEARANCE = 10;
/** Where a line prefers to pass a card: three lines fit into the gap between two cards. */
export const PASSING_DISTANCE = 20;
/** Minimum distance between two parallel lines. */
export const LANE_GAP = 10;
/** Distance between a card and a line that a tidied drawing leads past it, and between two such lines. */
export const LANE_TO_CARD = 28;
export const LANE_TO_LANE = 16;
/** The area of an add button that reacts to a pointer (WCAG 2.2, target size). */
export const ADD_TARGET = 24;
/** Straight part at a port without a label, and in front of a card, with room for a rounded corner. */
export const STUB = 14;
/** Part of a line that holds an add button. */
export const ADD_ROOM = ADD_TARGET + 2;

export const LABEL_GAP = 6;
export const LABEL_THICKNESS = 16;
/** Maximum length of a label along a line: written from top to bottom, or from left to right next to its port. */
const LABEL_LENGTH_MAX = { vertical: 48, horizontal: 88 };
/** Height of a row of labels, of two under crowded ports. */
export const LABEL_ROW = LABEL_THICKNESS + 2;
/** Space between the labels of two ports. */
export const LABEL_SPACING = 4;
/** Padding and the mean width of a character of the label's type size, 11 px Plex Sans Medium. */
const LABEL_PADDING = 8;
const LABEL_CHARACTER = 6.4;

/** Returns the extent of a label along its line. */
export function labelAlong(label: string, orientation: Orientation, isUpright: boolean): number {
  if (orientation === "vertical" && !isUpright) return LABEL_THICKNESS;
  return Math.min(labelLength(label), LABEL_LENGTH_MAX[orientation]);
}

/** Returns an upper estimate of a label's length; a longer one is cut off when it is drawn. */
export function labelLength(label: string): number {
  return Math.ceil(LABEL_PADDING + label.length * LABEL_CHARACTER);
}
