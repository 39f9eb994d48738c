import { expect, test } from "vitest";
import { branchingDefinition, testNode } from "@/components/canvas/document/test-definition";
import { minimapShapes } from "@/components/canvas/minimap/minimap-shapes";
import { holds, mapBox, seenBox, viewAround } from "@/components/canvas/minimap/minimap-view";
import type { NodeLight } from "@/components/canvas/store/node-light";

const look = { notes: [], sizes: {}, orientation: "vertical" as const, selectedNodeIds: [], lights: {} };
const light = (status: NodeLight["status"]): NodeLight => ({
  status,
  durationMs: null,
  attempt: 1,
  items: null,
  taken: null,
});
const colors = (shapes: ReturnType<typeof minimapShapes>) => shapes?.cards.map(({ color }) => color);

test("steps have the color of their kind, or of their run status, and the selection is highlighted", () => {
  const definition = branchingDefinition();
  expect(colors(minimapShapes({ ...look, definition }))?.join()).toContain("--k-logic");
  const lights = { start: light("completed"), over_500: light("failed"), refund: light("not_reached") };
  const run = minimapShapes({ ...look, definition, lights, selectedNodeIds: ["end"] });
  expect(colors(run)).toEqual(["var(--ok)", "var(--err)", "var(--border)", "var(--accent)"]);
  expect(minimapShapes({ ...look, definition: { nodes: [], edges: [] } })).toBeNull();
});

test("a step inside a loop is drawn inside its frame", () => {
  const inner = { ...testNode("inner", "transform", 20, 40), parentId: "each" };
  const definition = { nodes: [testNode("each", "loop", 100, 200), inner], edges: [] };
  const shapes = minimapShapes({ ...look, definition, sizes: { inner: { width: 280, height: 90 } } });
  expect(shapes?.frames).toHaveLength(1);
  expect(shapes?.cards[0]?.d).toMatch(/^M140 240h240/);
  expect(shapes?.bounds).toMatchObject({ x: 100, y: 200 });
});

test("the map covers the drawing and the view, and a clicked place becomes the center of the view at the same zoom", () => {
  const pane = { width: 800, height: 600 };
  const seen = seenBox({ x: -100, y: 0, zoom: 0.5 }, pane);
  expect(seen).toEqual({ x: 200, y: -0, width: 1600, height: 1200 });
  const map = mapBox({ x: 0, y: 0, width: 280, height: 100 }, seen);
  expect(holds(map, { x: 0, y: 0 }) && holds(map, { x: 1800, y: 1200 })).toBe(true);
  const view = viewAround({ x: 1000, y: 400 }, 0.5, pane);
  expect(seenBox(view, pane)).toEqual({ x: 200, y: -200, width: 1600, height: 1200 });
});
