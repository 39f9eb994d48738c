import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/journal";
import type { RunObject } from "#lib/contract/run";
import { knownOutput } from "@/components/canvas/testing/known-values";
import { createTestStore } from "@/components/canvas/testing/test-store";

function runGiving(runId: string, output: unknown): RunObject {
  const times = { started_at: "2026-01-01T00:00:00.000Z", completed_at: "2026-01-01T00:00:01.000Z" };
  const step = { step_id: "hook", status: "completed", iteration: null, truncated: false, output, ...times };
  return { run_id: runId, status: "succeeded", steps: [step as StepItem] } as RunObject;
}

test("an event that came is known beside an older run, until a test gives something later", () => {
  const tests = createTestStore("w1");
  const known = () => knownOutput(tests.getState(), "hook");
  tests.getState().keepSample("hook", "event");
  tests.getState().remember(runGiving("older", "run"));
  expect(known()).toBe("event");
  tests.getState().hear(runGiving("newer", "test"));
  expect(known()).toBe("test");
  expect(tests.getState().samples).toEqual({});
});
