import { describe, expect, test } from "vitest";
import { EVENT_TYPES } from "#lib/contract/outbound-event";
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
} from "#lib/contract/run";
import { USAGE_STATUSES } from "#lib/contract/web/run-usage";

test("a statement may change the status of a run only as the table says", () => {
  expect(requireTransitions(["accepted", "running"], "failed")).toEqual(["accepted", "running"]);
  expect(() => requireTransitions(["running", "cancelled"], "failed")).toThrow("no run goes from cancelled to failed");
  expect(() => requireTransitions(["waiting_for_approval"], "succeeded")).toThrow();
});

describe("the sets of run statuses", () => {
  test("terminal and open statuses together are all statuses", () => {
    expect([...OPEN_RUN_STATUSES, ...TERMINAL_RUN_STATUSES]).toEqual([...RUN_STATUSES]);
    expect(TERMINAL_RUN_STATUSES).toEqual(["succeeded", "failed", "cancelled", "timed_out"]);
  });

  test("a run has ended by success, failure or cancellation exactly if nothing leaves its status", () => {
    const ended = RUN_STATUSES.filter((status) => isSuccess(status) || isFailure(status) || isCancelled(status));
    expect(ended).toEqual(TERMINAL_RUN_STATUSES);
    expect(OPEN_RUN_STATUSES.filter((status) => isWaiting(status))).toEqual(WAITING_RUN_STATUSES);
    expect(WAITING_RUN_STATUSES).toEqual(["waiting_for_approval"]);
  });

  test("every status is reached from a status a run can have", () => {
    const reached = new Set<string>(["accepted", ...RUN_STATUSES.flatMap((status) => RUN_TRANSITIONS[status])]);
    expect(RUN_STATUSES.filter((status) => !reached.has(status))).toEqual([]);
  });

  test("each end of a run and each wait of one is an outbound event", () => {
    const missing = [...TERMINAL_RUN_STATUSES, ...WAITING_RUN_STATUSES].filter(
      (status) => !EVENT_TYPES.some((type) => type === `run.${status}`),
    );
    expect(missing).toEqual([]);
  });

  test("usage counts each end of a run, and open runs as one", () => {
    expect(USAGE_STATUSES.toSorted()).toEqual([...TERMINAL_RUN_STATUSES, "open"].toSorted());
  });

  test("a worker executes every open run that waits for no decision", () => {
    expect(EXECUTABLE_RUN_STATUSES).toEqual(["accepted", "running"]);
  });

  test("an error rate counts failed and timed-out runs, and leaves cancelled runs out", () => {
    expect(FAILED_RUN_STATUSES).toEqual(["failed", "timed_out"]);
    expect(MEASURED_RUN_STATUSES).toEqual(["succeeded", "failed", "timed_out"]);
  });
});
