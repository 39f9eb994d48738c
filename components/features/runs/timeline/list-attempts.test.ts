import { expect, test } from "vitest";
import type { JournalEventObject } from "#lib/contract/run/journal";
import { listAttempts } from "@/components/features/runs/timeline/list-attempts";

const at = (ms: number) => new Date(1_000_000 + ms).toISOString();
const event = (kind: JournalEventObject["event"], ms: number, more: Partial<JournalEventObject> = {}) => ({
  event: kind,
  step_id: "a",
  iteration: "",
  attempt: 1,
  at: at(ms),
  ...more,
});
const OPEN = { status: "started", completed_at: null } as const;
const error = { code: "UPSTREAM_ERROR", message: "503" } as const;

test("a failed attempt ends when the next one starts, with the pause between them", () => {
  const attempts = listAttempts(
    [
      event("step_started", 0),
      event("step_started", 1_000, { attempt: 2, durationMs: 200, error }),
      event("step_completed", 1_100, { attempt: 2, durationMs: 90 }),
    ],
    OPEN,
  );
  expect(attempts).toMatchObject([
    { number: 1, outcome: "failed", durationMs: 200, pauseMs: 800, error },
    { number: 2, outcome: "succeeded", durationMs: 90, pauseMs: null, error: null },
  ]);
});

test("covers an attempt in progress, one that was cut off, and one whose step timed out and continued", () => {
  expect(listAttempts([event("step_started", 0)], OPEN)).toMatchObject([{ outcome: "running", durationMs: null }]);
  expect(
    listAttempts([event("step_started", 0), event("step_started", 9_000, { attempt: 2 })], OPEN).map(
      ({ outcome }) => outcome,
    ),
  ).toEqual(["lost", "running"]);
  expect(
    listAttempts(
      [
        event("step_started", 0),
        event("step_timed_out", 30_000, { error: { code: "TIMEOUT", message: "30 s" } }),
        event("step_failed_continued", 30_000, { error: { code: "TIMEOUT", message: "30 s" } }),
      ],
      OPEN,
    ),
  ).toMatchObject([{ outcome: "failed", durationMs: 30_000, error: { code: "TIMEOUT" } }]);
});

test.each(["cancelled", "stopped"] as const)("the last attempt of a step that was %s ends with the run", (status) => {
  const end = { status, completed_at: at(5_000) };
  expect(listAttempts([event("step_started", 0)], end)).toMatchObject([{ outcome: status, durationMs: 5_000 }]);
});
