import { expect, it } from "vitest";
import type { StepItem, StepStatus } from "#lib/contract/run/journal";
import { arrangeSteps } from "@/components/features/runs/timeline/arrange-steps";
import type { TimelineRow } from "@/components/features/runs/timeline/derive-timeline";
import { foldLoops } from "@/components/features/runs/timeline/fold-loops";

const step = (id: string, at?: [loopId: string, index: number], path = String(at?.[1])) =>
  ({
    step_id: id,
    iteration: at === undefined ? null : { loop_id: at[0], index: at[1], count: null, path },
  }) as StepItem;

const names = (steps: readonly StepItem[]) =>
  arrangeSteps(steps).map(
    ({ step: { step_id, iteration }, depth }) => `${"-".repeat(depth)}${step_id}${iteration?.index ?? ""}`,
  );

it("items that ran at the same time are listed one after the other, below their loop", () => {
  const steps = [step("in"), step("loop"), step("a", ["loop", 1]), step("after"), step("a", ["loop", 0])];
  expect(names([...steps, step("b", ["loop", 0]), step("b", ["loop", 1])])).toEqual(
    "in loop -a0 -b0 -a1 -b1 after".split(" "),
  );
});

it("a nested loop is listed item by item below its outer item", () => {
  const steps = [step("outer"), step("inner", ["outer", 0]), step("inner", ["outer", 1])];
  const inside = [step("a", ["inner", 0], "1.0"), step("a", ["inner", 0], "0.0")];
  expect(names([...steps, ...inside])).toEqual("outer -inner0 --a0 -inner1 --a0".split(" "));
});

function rowsOf(count: number, failed: number): TimelineRow[] {
  const status = (index: number): StepStatus => (index === failed ? "failed" : "completed");
  const row = (key: string, loopKey: string | null, index: number) =>
    ({ key, loopKey, kind: "step", status: status(index), step: step(key, ["loop", index]) }) as TimelineRow;
  return [
    row("loop", null, -1),
    ...Array.from({ length: count }, (_, index) => row(`a.${index}`, "loop", index)),
    row("out", null, -1),
  ];
}

const keys = (rows: readonly TimelineRow[]) => rows.map(({ key }) => key);

it("a long loop shows its first item, failures and the selected row, and the rest on request", () => {
  const rows = rowsOf(100, 40);
  const folded = foldLoops(rows, new Set(), "a.7");
  expect(keys(folded)).toEqual(["loop", "a.0", "a.7", "a.40", "loop~more", "out"]);
  expect(folded[4]?.name).toBe("Show 97 more items");
  expect(foldLoops(rows, new Set(["loop"]), null)).toEqual(rows);
});

it("a short loop is shown in full", () => {
  expect(foldLoops(rowsOf(10, 3), new Set(), null)).toEqual(rowsOf(10, 3));
});
