import { describe, expect, test } from "vitest";
import {
  EXECUTABLE_RUN_STATUSES,
  FAILED_RUN_STATUSES,
  MEASURED_RUN_STATUSES,
  OPEN_RUN_STATUSES,
  RUN_STATUSES,
  TERMINAL_RUN_STATUSES,
} from "#lib/contract/run";

describe("the sets of run statuses", () => {
  test("terminal and open statuses together are all statuses", () => {
    expect([...OPEN_RUN_STATUSES, ...TERMINAL_RUN_STATUSES]).toEqual([...RUN_STATUSES]);
    expect(TERMINAL_RUN_STATUSES).toEqual(["succeeded", "failed", "cancelled", "timed_out"]);
  });

  test("a worker executes every open run that waits for no decision", () => {
    expect(EXECUTABLE_RUN_STATUSES).toEqual(["accepted", "running"]);
  });

  test("an error rate counts failed and timed-out runs, and leaves cancelled runs out", () => {
    expect(FAILED_RUN_STATUSES).toEqual(["failed", "timed_out"]);
    expect(MEASURED_RUN_STATUSES).toEqual(["succeeded", "failed", "timed_out"]);
  });
});
