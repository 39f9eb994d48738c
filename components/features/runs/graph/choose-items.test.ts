import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { countItemsOf, itemsAround, stepsOfItems } from "@/components/features/runs/graph/choose-items";

const node = (id: string, parentId?: string): [string, GraphNode] => [
  id,
  { id, type: "transform", position: { x: 0, y: 0 }, data: {}, ...(parentId === undefined ? {} : { parentId }) },
];
const NODES = new Map([node("outer"), node("inner", "outer"), node("a", "inner"), node("b", "outer"), node("end")]);
const step = (id: string, path?: string) =>
  ({
    step_id: id,
    iteration:
      path === undefined
        ? null
        : { loop_id: NODES.get(id)?.parentId ?? "", index: Number(path.split(".").at(-1)), count: null, path },
  }) as StepItem;
const STEPS = [
  step("outer"),
  step("inner", "0"),
  step("a", "0.0"),
  step("a", "0.1"),
  step("b", "0"),
  step("inner", "1"),
  step("a", "1.0"),
  step("end"),
];
const told = (chosen: Record<string, number>) =>
  stepsOfItems(STEPS, NODES, chosen).map((shown) => shown.step_id + (shown.iteration?.path ?? ""));

test("an item of a loop shows its own steps, and one in a nested loop those of both", () => {
  expect(told({})).toHaveLength(STEPS.length);
  expect(told({ outer: 1 })).toEqual(["outer", "inner", "a1.0", "end"]);
  expect(told({ outer: 0, inner: 1 })).toEqual(["outer", "inner", "a", "b", "end"]);
});

test("a nested loop's items are counted only within the item around it", () => {
  const count = (loop: string, chosen: Record<string, number>) => countItemsOf(loop, STEPS, NODES, chosen);
  expect(count("outer", { outer: 1 })).toBe(2);
  expect(count("inner", {})).toBeNull();
  expect(count("inner", { outer: 0, inner: 1 })).toBe(2);
  expect(count("inner", { outer: 1 })).toBe(1);
});

test("a step is visible when its own items are selected", () => {
  expect(itemsAround(step("a", "1.0"), NODES)).toEqual({ outer: 1, inner: 0 });
  expect(itemsAround(step("end"), NODES)).toEqual({});
});
