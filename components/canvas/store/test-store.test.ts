import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import { knownOutput } from "@/components/canvas/samples/known-values";
import { createTestStore } from "@/components/canvas/store/test-store";

function runGiving(runId: string, completedAt: string, output: unknown): RunObject {
  const times = { started_at: completedAt, completed_at: completedAt };
  const step = { step_id: "hook", status: "completed", iteration: null, truncated: false, output, ...times };
  return { run_id: runId, status: "succeeded", steps: [step as StepItem] } as RunObject;
}

const EARLIER = "2026-01-01T00:00:01.000Z";
const MOMENT = "2026-01-01T00:00:02.000Z";
const LATER = "2026-01-01T00:00:03.000Z";

function listening() {
  const tests = createTestStore("w1");
  tests.getState().keepSample("hook", { output: "event", receivedAt: MOMENT });
  return { ...tests.getState(), known: () => knownOutput(tests.getState(), "hook"), tests };
}

test("a received event replaces an older run's values until a test returns newer ones", () => {
  const { remember, hear, known, tests } = listening();
  remember(runGiving("older", EARLIER, "run"));
  expect(known()).toBe("event");
  hear(runGiving("newer", LATER, "test"));
  expect(known()).toBe("test");
  expect(tests.getState().samples).toEqual({});
});

test("a later run's output replaces the event", () => {
  const { remember, known } = listening();
  remember(runGiving("newer", LATER, "run"));
  expect(known()).toBe("run");
});
