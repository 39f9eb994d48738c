import type { Box, Point } from "@/components/canvas/document/dimensions";

/** Where a card may be: inside the pane and outside everything that covers a part of it. */
export interface Room {
  pane: Box;
  covers: readonly Box[];
}

/** Distances in pixels from the edges and from what covers the drawing; smaller ones are for a pane without room. */
const MARGINS = [24, 12, 4] as const;

/**
 * Returns the nearest place where the whole card is visible, as its left top corner; null if there is none.
 * @param card its box on the screen, as the other boxes
 */
export function freePlace(card: Box, room: Room): Point | null {
  for (const margin of MARGINS) {
    const place = nearestPlace(card, room, margin);
    if (place !== null) return place;
  }
  return null;
}

/** A nearest place touches an edge of the pane or of a cover, or keeps a coordinate of the card. */
function nearestPlace(card: Box, { pane, covers }: Room, margin: number): Point | null {
  const right = pane.x + pane.width - margin - card.width;
  const bottom = pane.y + pane.height - margin - card.height;
  const left = pane.x + margin;
  const top = pane.y + margin;
  if (right < left || bottom < top) return null;
  const xs = [clamp(card.x, left, right), left, right, ...besides(covers, "x", "width", card.width, margin)];
  const ys = [clamp(card.y, top, bottom), top, bottom, ...besides(covers, "y", "height", card.height, margin)];
  let nearest: Point | null = null;
  for (const x of xs) {
    for (const y of ys) {
      const isOutside = x < left || x > right || y < top || y > bottom;
      const place = { ...card, x, y };
      if (isOutside || covers.some((cover) => overlap(place, cover, margin / 2))) continue;
      if (nearest === null || distance(card, place) < distance(card, nearest)) nearest = { x, y };
    }
  }
  return nearest;
}

/** Returns the coordinates just before and just after each cover. */
function besides(covers: readonly Box[], start: "x" | "y", size: "width" | "height", length: number, margin: number) {
  return covers.flatMap((cover) => [cover[start] - margin / 2 - length, cover[start] + cover[size] + margin / 2]);
}

/** Returns true if the boxes are closer together than the margin. */
export function overlap(a: Box, b: Box, margin = 0): boolean {
  return (
    a.x < b.x + b.width + margin &&
    b.x < a.x + a.width + margin &&
    a.y < b.y + b.height + margin &&
    b.y < a.y + a.height + margin
  );
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

function distance(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}
