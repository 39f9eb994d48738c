import { expect, test } from "vitest";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { CARD_WIDTH } from "@/components/canvas/document/dimensions";
import { describePort } from "@/components/canvas/layout/plan-frame";
import type { Rect } from "@/components/canvas/lines/orientation";
import { labelBox } from "@/components/canvas/lines/port-parts";

function outputsOf(count: number): Branch[] {
  const cases = Array.from(
    { length: count },
    (_, index): Branch => ({ handle: `${index}`, label: `Complaint ${index}` }),
  );
  return [...cases, { handle: "failed", label: "Failed", isFailure: true }];
}

function overlap(a: Rect, b: Rect): boolean {
  const isApart = a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height;
  return !isApart;
}

function labelsOf(count: number) {
  const side = { outputs: outputsOf(count), orientation: "vertical", length: CARD_WIDTH } as const;
  return side.outputs.map((_, index) => {
    const port = describePort(side, index, false);
    const box = labelBox(port);
    if (box === null) throw new Error("The port has no label.");
    return { x: port.x, isUpright: port.isUpright, box };
  });
}

test.each([2, 3, 4, 5, 6, 7, 8, 9, 10])(
  "the labels of %d branches read from left to right and touch nothing",
  (count) => {
    const labels = labelsOf(count);
    expect(labels.filter(({ isUpright }) => isUpright)).toEqual([]);
    for (const [index, { box }] of labels.entries()) {
      expect(box.height).toBe(16);
      expect(box.width).toBeGreaterThan(30);
      for (const [at, other] of labels.entries()) {
        if (at === index) continue;
        expect(overlap(box, other.box), `labels ${index} and ${at}`).toBe(false);
        expect(other.x > box.x && other.x < box.x + box.width, `label ${index} and line ${at}`).toBe(false);
      }
    }
  },
);

test("the labels of more than ten branches are written along their lines, where they have more room", () => {
  const [first] = labelsOf(11);
  expect(first?.isUpright).toBe(true);
  expect(first?.box.height).toBeGreaterThan(30);
});
