import { expect, test } from "vitest";
import { describeSpot } from "@/components/canvas/document/describe-spot";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { branchingDefinition } from "@/components/canvas/document/test-definition";

const cases: [InsertSpot, string][] = [
  [{ kind: "free", position: { x: 0, y: 0 } }, "Add a step"],
  [{ kind: "inside", loopId: "refund" }, "Add inside Refund"],
  [{ kind: "after", source: "over_500", sourceHandle: "false" }, "Add after Over 500, branch False"],
  [{ kind: "after", source: "refund", sourceHandle: null }, "Add after Refund"],
  [{ kind: "after", source: "refund", sourceHandle: "failed" }, "Add after Refund, branch Failed"],
  [{ kind: "edge", edgeId: "over_500.true-refund" }, "Add after Over 500, branch True, before Refund"],
  [{ kind: "edge", edgeId: "start-over_500" }, "Add after start, before Over 500"],
  [{ kind: "edge", edgeId: "gone" }, "Add a step"],
  [{ kind: "flow", position: { x: 0, y: 0 } }, "Add after Refund, before end"],
];

test.each(cases)("the place %j is named with the branch that leads to it", (spot, words) => {
  expect(describeSpot(branchingDefinition(), spot)).toBe(words);
});
