import { describe, expect, test } from "vitest";
import { EVENT_TYPES } from "#lib/contract/event/outbound-event";
import {
  EXECUTABLE_RUN_STATUSES,
  FAILED_RUN_STATUSES,
  isCancelled,
  isFailure,
  isSuccess,
  isWaiting,
  MEASURED_RUN_STATUSES,
  OPEN_RUN_STATUSES,
  RUN_STATUSES,
  RUN_TRANSITIONS,
  requireTransitions,
  TERMINAL_RUN_STATUSES,
  WAITING_RUN_STATUSES,
} from "#lib/contract/run/run";
import { USAGE_STATUSES } from "#lib/contract/run/run-usage";

test("a statement can change the status of a run only to a status in the table", () => {
  expect(requireTransitions(["accepted", "running"], "failed")).toEqual(["accepted", "running"]);
  expect(() => requireTransitions(["running", "cancelled"], "failed")).toThrow(
    "a run cannot change from cancelled to failed",
  );
  expect(() => requireTransitions(["waiting_for_approval"], "succeeded")).toThrow();
});

describe("the sets of run statuses", () => {
  test("terminal and open statuses together are all statuses", () => {
    expect([...OPEN_RUN_STATUSES, ...TERMINAL_RUN_STATUSES]).toEqual([...RUN_STATUSES]);
    expect(TERMINAL_RUN_STATUSES).toEqual(["succeeded", "failed", "cancelled", "timed_out"]);
  });

  test("a status is terminal exactly if it means success, failure or cancellation", () => {
    const ended = RUN_STATUSES.filter((status) => isSuccess(status) || isFailure(status) || isCancelled(status));
    expect(ended).toEqual(TERMINAL_RUN_STATUSES);
    expect(OPEN_RUN_STATUSES.filter((status) => isWaiting(status))).toEqual(WAITING_RUN_STATUSES);
    expect(WAITING_RUN_STATUSES).toEqual(["waiting_for_approval"]);
  });

  test("every status can be reached", () => {
    const reached = new Set<string>(["accepted", ...RUN_STATUSES.flatMap((status) => RUN_TRANSITIONS[status])]);
    expect(RUN_STATUSES.filter((status) => !reached.has(status))).toEqual([]);
  });

  test("every end of a run and every wait of a run is an outbound event", () => {
    const missing = [...TERMINAL_RUN_STATUSES, ...WAITING_RUN_STATUSES].filter(
      (status) => !EVENT_TYPES.some((type) => type === `run.${status}`),
    );
    expect(missing).toEqual([]);
  });

  test("usage counts each terminal status separately, and all open runs together", () => {
    expect(USAGE_STATUSES.toSorted()).toEqual([...TERMINAL_RUN_STATUSES, "open"].toSorted());
  });

  test("a worker executes every open run that is not waiting for a decision", () => {
    expect(EXECUTABLE_RUN_STATUSES).toEqual(["accepted", "running"]);
  });

  test("an error rate counts failed and timed-out runs, but not cancelled runs", () => {
    expect(FAILED_RUN_STATUSES).toEqual(["failed", "timed_out"]);
    expect(MEASURED_RUN_STATUSES).toEqual(["succeeded", "failed", "timed_out"]);
  });
});
