import { expect, test } from "vitest";
import { snapToGuides } from "@/components/canvas/lines/snap-guides";

const box = (x: number, y: number, width = 280, height = 97) => ({ x, y, width, height });
const snap = (moving: ReturnType<typeof box>, others: ReturnType<typeof box>[], reach = 6) =>
  snapToGuides(moving, others, moving, reach);

test("far from every card, a card snaps to the grid of 20 pixels without a guide", () => {
  expect(snap(box(1_009, 1_011), [box(0, 0)])).toEqual({ shift: { x: -9, y: 9 }, guides: [] });
});

test("a card near the edge of another one takes its edge, and a guide connects both", () => {
  const { shift, guides } = snap(box(34, 505), [box(30, 0)]);
  expect(shift.x).toBe(-4);
  expect(guides).toContainEqual({ kind: "align", axis: "x", at: 30, from: 0, to: 500 + 97 });
});

test("centers align for cards of different sizes", () => {
  const { shift, guides } = snap(box(203, 503, 100), [box(110, 0)]);
  expect(203 + shift.x + 50).toBe(110 + 140);
  expect(guides).toContainEqual(expect.objectContaining({ kind: "align", axis: "x", at: 250 }));
});

test("a card between two others takes the middle, and both gaps are marked", () => {
  const { shift, guides } = snap(box(474, 3, 100), [box(0, 0), box(770, 0)]);
  expect(474 + shift.x).toBe(475);
  expect(guides.filter(({ kind }) => kind === "gap")).toEqual([
    expect.objectContaining({ axis: "x", from: 280, to: 475 }),
    expect.objectContaining({ axis: "x", from: 575, to: 770 }),
  ]);
});

test("a card after two others keeps the distance between them", () => {
  const { shift, guides } = snap(box(4, 301), [box(0, 0), box(0, 148)]);
  expect(301 + shift.y).toBe(148 + 97 + 51);
  expect(guides.filter(({ kind, axis }) => kind === "gap" && axis === "y")).toHaveLength(2);
});

test("the axes snap on their own", () => {
  expect(snap(box(3, 709), [box(0, 0)]).shift).toEqual({ x: -3, y: -9 });
});

test("a nearer alignment wins over a farther one", () => {
  expect(snap(box(12, 500), [box(8, 0), box(13, 200)]).shift.x).toBe(1);
});
