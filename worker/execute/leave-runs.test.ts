import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type AdmittedRun, NO_WORKSPACE } from "#lib/domain/runs/execute/admit-runs";
import type { AdmissionOptions, RunAdmission } from "#worker/execute/run-admission";
import { startDelivering } from "#worker/execute/run-admission.fixture";

const SLOTS = 4;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const answer = { lastWorkspace: NO_WORKSPACE, hasMore: true, nextInMs: null };
/** Options for a queue that is never polled and whose runs never end. */
const base = (): Omit<AdmissionOptions, "admit" | "deliver"> => ({
  slots: SLOTS,
  workingMax: () => SLOTS,
  pollMs: 2 ** 31 - 1,
  execute: () => new Promise(() => {}),
  drop: async () => {},
  giveBack: async () => {},
});

test("a worker that stops returns its other runs even if one cannot be returned", async () => {
  const given: number[] = [];
  const taking = Promise.withResolvers<AdmittedRun[]>();
  const queue = startDelivering({
    ...base(),
    admit: async () => ({ ...answer, runs: await taking.promise }),
    giveBack: async (run) => {
      if (run.ticket === 0) throw new Error("no");
      given.push(run.ticket);
    },
  });
  const stopped = queue.stop();
  taking.resolve([0, 1, 2].map((ticket) => ({ runId: `${ticket}`, ticket, jobId: ticket })));
  await stopped;
  expect(given).toEqual([1, 2]);
});

test("a stopped worker sets no timer, even if a run was parked or a request failed while it stopped", async () => {
  const taking = Promise.withResolvers<never>();
  const queue: RunAdmission = startDelivering({ ...base(), admit: () => taking.promise });
  const stopped = queue.stop();
  queue.wakeIn(1_000);
  taking.reject(Object.assign(new Error("away"), { code: "57P01" }));
  await stopped;
  expect(vi.getTimerCount()).toBe(0);
});

test("a worker without room leaves a due run to the other workers, once", async () => {
  const asked: [number, boolean][] = [];
  let next = 0;
  const queue = startDelivering({
    ...base(),
    admit: async ({ wanted, isOnlyNew }) => {
      asked.push([wanted, isOnlyNew]);
      return {
        ...answer,
        runs: Array.from({ length: wanted }, () => ({ runId: `${next}`, ticket: next, jobId: next++ })),
      };
    },
  });
  queue.wakeIn(50);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual([
    [SLOTS, false],
    [0, true],
  ]);
});
