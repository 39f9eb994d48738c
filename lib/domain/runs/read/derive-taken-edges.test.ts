import { expect, test } from "vitest";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { deriveTakenEdges, type StepEnd } from "#lib/domain/runs/read/derive-taken-edges";

const CHECK = definition(
  [
    completeNode("start", "action_input"),
    completeNode("check", "condition", { disabled: true }),
    completeNode("yes", "code"),
    completeNode("no", "code"),
  ],
  ["start > check", "check.true > yes", "check.false > no"],
);
const START: StepEnd = { nodeId: "start", kind: "step_completed", isBypassed: false, output: null };
const check = (isBypassed: boolean): StepEnd => ({ nodeId: "check", kind: "step_skipped", isBypassed, output: null });

test("a run that passed a disabled step by took the edge of its first branch", () => {
  expect(deriveTakenEdges(CHECK, [START, check(true)])).toEqual(["start > check", "check.true > yes"]);
});

test("a run that did not reach a disabled step took none of its edges", () => {
  expect(deriveTakenEdges(CHECK, [START, check(false)])).toEqual(["start > check"]);
});
