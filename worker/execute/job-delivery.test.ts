import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type AdmittedRun, NO_WORKSPACE } from "#lib/domain/runs/execute/admit-runs";
import { type AdmissionOptions, startAdmission } from "#worker/execute/run-admission";

const SLOTS = 4;
const runOf = (ticket: number): AdmittedRun => ({ runId: `run-${ticket}`, ticket, jobId: ticket });
const answer = { lastWorkspace: NO_WORKSPACE, hasMore: false, nextInMs: null };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts an admission whose jobs the test delivers; the first request gets `first`. */
function stage(first: readonly AdmittedRun[], more: Partial<AdmissionOptions> = {}) {
  const wanted: number[] = [];
  const given: number[] = [];
  const delivered: number[] = [];
  const admission = startAdmission({
    slots: SLOTS,
    workingMax: () => SLOTS,
    admit: async (request) => {
      wanted.push(request.wanted);
      return { ...answer, runs: wanted.length === 1 ? [...first] : [] };
    },
    deliver: (runs) => void delivered.push(...runs.map(({ ticket }) => ticket)),
    execute: () => new Promise(() => {}),
    drop: async () => {},
    giveBack: async ({ ticket }) => void given.push(ticket),
    ...more,
  });
  return { admission, wanted, given, delivered };
}

test("an admitted run occupies its place from its admission on, not from the start of its job", async () => {
  const { admission, wanted, delivered } = stage([runOf(1), runOf(2)]);
  await vi.advanceTimersByTimeAsync(0);
  expect(delivered).toEqual([1, 2]);
  admission.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(wanted).toEqual([4, 2]);
  void admission.execute(runOf(1));
  admission.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(wanted).toEqual([4, 2, 2]);
});

test("a worker that stops returns the runs whose jobs were not delivered", async () => {
  const { admission, given } = stage([runOf(1), runOf(2)], { execute: async () => "settled" });
  await vi.advanceTimersByTimeAsync(0);
  await admission.stop(() => admission.execute(runOf(2)));
  expect(given).toEqual([1]);
});
