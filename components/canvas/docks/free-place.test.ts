import { expect, test } from "vitest";
import { freePlace, overlap, type Room } from "@/components/canvas/docks/free-place";
import type { Box } from "@/components/canvas/document/dimensions";

const PANE: Box = { x: 216, y: 48, width: 800, height: 600 };
const TOOLBAR: Box = { x: 400, y: 590, width: 420, height: 42 };
const MAP: Box = { x: 800, y: 490, width: 200, height: 144 };
const at = (x: number, y: number): Box => ({ x, y, width: 280, height: 97 });
const ROOM: Room = { pane: PANE, covers: [TOOLBAR, MAP] };

test("a card that is visible stays where it is", () => {
  expect(freePlace(at(500, 300), ROOM)).toEqual({ x: 500, y: 300 });
});

test("a card under the toolbar moves just above it and keeps its column", () => {
  const place = freePlace(at(450, 560), ROOM);
  expect(place?.x).toBe(450);
  expect(place?.y).toBeLessThan(TOOLBAR.y - 97);
});

test("a card outside the view comes back by the shortest way", () => {
  expect(freePlace(at(-400, 300), ROOM)).toEqual({ x: PANE.x + 24, y: 300 });
  expect(freePlace(at(500, -900), ROOM)).toEqual({ x: 500, y: PANE.y + 24 });
});

test("wherever a card is, its free place is inside the pane and under no cover", () => {
  for (let x = -300; x < 1_400; x += 37) {
    for (let y = -300; y < 1_000; y += 41) {
      const place = freePlace(at(x, y), ROOM);
      if (place === null) throw new Error(`no place for a card at ${x}, ${y}`);
      const card = at(place.x, place.y);
      expect(ROOM.covers.some((cover) => overlap(card, cover))).toBe(false);
      expect([card.x >= PANE.x, card.x + 280 <= PANE.x + PANE.width]).toEqual([true, true]);
      expect([card.y >= PANE.y, card.y + 97 <= PANE.y + PANE.height]).toEqual([true, true]);
    }
  }
});

test("a small pane uses smaller margins before it gives up, and a pane that is too small gives up", () => {
  const pane = { x: 0, y: 0, width: 300, height: 110 };
  expect(freePlace(at(0, 0), { pane, covers: [] })).not.toBeNull();
  expect(freePlace(at(0, 0), { pane: { ...pane, width: 270 }, covers: [] })).toBeNull();
  expect(freePlace(at(0, 0), { pane, covers: [{ x: 0, y: 60, width: 300, height: 40 }] })).toBeNull();
});
