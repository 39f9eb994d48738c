import { afterEach, beforeEach, expect, test } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { viewOf } from "@/components/canvas/docks/bring-into-view";
import { OVER_CANVAS } from "@/components/canvas/docks/read-room";
import type { Box } from "@/components/canvas/document/dimensions";
import { testNode } from "@/components/canvas/document/test-definition";

const PANE: Box = { x: 216, y: 88, width: 700, height: 600 };
const SIZE = { width: 280, height: 97 };
const START = { x: 0, y: 0, zoom: 1 };

/** The pane on the screen. None of these tests renders a card. */
beforeEach(() => {
  const pane = document.createElement("section");
  pane.className = "workflow-canvas";
  place(pane, PANE);
  document.body.append(pane);
});
afterEach(() => document.body.replaceChildren());

function place(element: HTMLElement, { x, y, width, height }: Box): void {
  element.getBoundingClientRect = () => new DOMRect(x, y, width, height);
}

const drawingOf = (...nodes: GraphNode[]) => ({
  definition: { nodes, edges: [] },
  notes: [],
  sizes: Object.fromEntries(nodes.map(({ id }) => [id, SIZE])),
  orientation: "vertical" as const,
});
const step = (id: string, x: number, y: number, parentId?: string): GraphNode => ({
  ...testNode(id, "transform", x, y),
  ...(parentId === undefined ? {} : { parentId }),
});

test("a step that just moved in the document is shown where it will be, before it is rendered there", () => {
  const view = viewOf(drawingOf(step("far", 2_000, 300)), "far", START);
  expect(view).toEqual({ x: PANE.width - 24 - SIZE.width - 2_000, y: 0, zoom: 1 });
});

test("showing the same step again does not move the view a second time", () => {
  const drawing = drawingOf(step("far", 2_000, -900));
  const view = viewOf(drawing, "far", START);
  expect(view).not.toEqual(START);
  expect(view && viewOf(drawing, "far", view)).toEqual(view);
});

test("a step inside a loop is shown where the loop is", () => {
  const drawing = drawingOf(testNode("each", "loop", 3_000, 0), step("in", 40, 60, "each"));
  expect(viewOf(drawing, "in", START)?.x).toBe(PANE.width - 24 - SIZE.width - 3_040);
});

test("the view zooms out only if the step has no place at the current zoom", () => {
  const drawing = drawingOf(step("only", 0, 0));
  expect(viewOf(drawing, "only", { x: 0, y: 0, zoom: 2 })?.zoom).toBe(2);
  const bar = document.createElement("div");
  for (const name of Object.keys(OVER_CANVAS)) bar.setAttribute(name, "");
  place(bar, { x: PANE.x + 40, y: PANE.y, width: 620, height: 420 });
  document.body.append(bar);
  expect(viewOf(drawing, "only", { x: 0, y: 0, zoom: 2 })?.zoom).toBeLessThan(2);
});

test("the add button below a new step is shown with it, unless only the card has a place", () => {
  const drawing = drawingOf(step("new", 0, 470));
  const button = { x: 140, y: SIZE.height + 60 };
  expect(viewOf(drawing, "new", { x: 100, y: 0, zoom: 1 })).toEqual({ x: 100, y: 0, zoom: 1 });
  const bottom = PANE.height - 24 - (470 + SIZE.height + 60 + 12);
  expect(viewOf(drawing, "new", { x: 100, y: 0, zoom: 1 }, [button])).toEqual({ x: 100, y: bottom, zoom: 1 });
  expect(viewOf(drawing, "new", { x: 100, y: 0, zoom: 1 }, [{ x: 140, y: 900 }])?.y).toBe(0);
  const zoomed = { x: 0, y: 0, zoom: 2 };
  const beside = { x: SIZE.width + 100, y: 40 };
  expect(viewOf(drawing, "new", zoomed, [beside])).toEqual(viewOf(drawing, "new", zoomed));
});

test("the ports and branch labels of a step are shown with it, unless only the card has a place", () => {
  const check = (y: number) => drawingOf(testNode("check", "condition", 0, y, { match: "all", rules: [] }));
  const start = { x: 100, y: 0, zoom: 1 };
  expect(viewOf(check(400), "check", start)).toEqual(start);
  // A port reaches 4 px below the card, and its label ends 19 px further down.
  const bottom = 470 + SIZE.height + 23;
  expect(viewOf(check(470), "check", start)).toEqual({ ...start, y: PANE.height - 24 - bottom });
  const only = { ...check(0), sizes: { check: { width: SIZE.width, height: PANE.height - 50 } } };
  expect(viewOf(only, "check", start)?.zoom).toBe(1);
});

test("a step that no longer exists moves nothing", () => {
  expect(viewOf(drawingOf(), "gone", START)).toBeNull();
});
