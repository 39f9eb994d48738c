import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NO_WORKSPACE } from "#lib/domain/runs/execute/admit-runs";
import type { MemoryLeft } from "#worker/execute/measure-memory";
import type { AdmissionOptions, RunAdmission } from "#worker/execute/run-admission";
import { startDelivering } from "#worker/execute/run-admission.fixture";

const SLOTS = 20;
const WORKING = 4;
const ROUND_TRIP_MS = 1;
/** A queue that waits for its next poll while runs are left never completes a test. */
const NEVER_MS = 2 ** 31 - 1;

interface Job {
  ms: number;
  /** True if the job waits outside the process, as for a response. */
  isWaiting: boolean;
}
const short: Job = { ms: 1, isWaiting: false };
const response: Job = { ms: 300, isWaiting: true };
const slow: Job = { ms: 10_000, isWaiting: true };

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a queue of jobs that several workers share, with a database that answers after a round trip. */
function stage(jobs: readonly Job[], more: Partial<Omit<AdmissionOptions, "deliver">> = {}) {
  const queued = jobs.map((_, index) => index);
  const started: number[] = [];
  const given: number[] = [];
  let done = 0;
  const left = () => jobs.length - done;

  function startWorker() {
    const counts = { taken: 0, held: 0, working: 0 };
    const admit: AdmissionOptions["admit"] = async ({ wanted, isOnlyNew }) => {
      await sleep(ROUND_TRIP_MS);
      // All jobs belong to one workspace.
      const runs = queued
        .splice(0, isOnlyNew && left() < jobs.length ? 0 : wanted)
        .map((job) => ({ runId: String(job), ticket: job, jobId: job }));
      counts.taken += runs.length;
      return { runs, lastWorkspace: NO_WORKSPACE, hasMore: queued.length > 0, nextInMs: null };
    };
    const execute: AdmissionOptions["execute"] = async (runId, slot) => {
      const { ms, isWaiting } = jobs[Number(runId)] ?? short;
      started.push(Number(runId));
      counts.held += 1;
      if (!isWaiting) counts.working += 1;
      await (isWaiting ? slot.whileWaiting(sleep(ms)) : sleep(ms));
      counts.held -= 1;
      if (!isWaiting) counts.working -= 1;
      done += 1;
      return "settled";
    };
    const queue = startDelivering({
      slots: SLOTS,
      workingMax: () => WORKING,
      pollMs: NEVER_MS,
      admit,
      execute,
      drop: async () => {},
      giveBack: async (run) => void given.push(run.ticket),
      ...more,
    });
    const room = () => Math.min(SLOTS - counts.held, WORKING - counts.working);
    return { queue, counts, room };
  }
  return { startWorker, queued, started, given, left };
}

const many = (count: number, job: Job) => new Array<Job>(count).fill(job);
const MIXES: Record<string, Job[]> = {
  "short runs only": many(200, short),
  "runs with a response of 300 ms only": many(150, response),
  "short runs behind slow ones": [...many(30, slow), ...many(100, short)],
  "all three kinds in turn": Array.from({ length: 180 }, (_, index) => [short, response, slow][index % 3] ?? short),
};
const COUNTS = [1, 3];
const CASES = Object.entries(MIXES).flatMap(([name, jobs]) => COUNTS.map((count) => [name, count, jobs] as const));

describe("while runs are queued, no slot is idle", () => {
  test.each(CASES)("%s on %i workers: a free slot gets the next run within 5 ms", async (_, count, jobs) => {
    const { startWorker, queued, started, left } = stage(jobs);
    const workers = Array.from({ length: count }, startWorker);
    // The times since which each place is free. The next run takes the place that has been free for the longest time.
    const freeSince = workers.map((): number[] => []);
    const seen = workers.map(() => 0);
    let longestMs = 0;
    for (let ms = 0; left() > 0; ms += 1) {
      expect(ms, "the runs end").toBeLessThan(200_000);
      await vi.advanceTimersByTimeAsync(1);
      for (const [index, { room, counts }] of workers.entries()) {
        const free = (freeSince[index] ?? []).slice(counts.taken - (seen[index] ?? 0), room() + counts.taken);
        freeSince[index] = Array.from({ length: Math.max(0, room()) }, (_free, place) => free[place] ?? ms);
        seen[index] = counts.taken;
        if (queued.length > 0) longestMs = Math.max(longestMs, ms - (freeSince[index]?.[0] ?? ms));
        expect(counts.held).toBeLessThanOrEqual(SLOTS);
      }
      expect(
        workers.reduce((sum, { counts }) => sum + counts.taken, 0),
        "none is taken and not executed",
      ).toBe(started.length);
    }
    expect(longestMs).toBeLessThanOrEqual(5);
    expect(started.toSorted((one, other) => one - other)).toEqual(jobs.map((_job, index) => index));
  });
});

describe("a worker", () => {
  const answer = { lastWorkspace: NO_WORKSPACE, hasMore: true, nextInMs: null };
  const base = () => ({
    slots: SLOTS,
    workingMax: () => WORKING,
    pollMs: NEVER_MS,
    drop: async () => {},
    giveBack: async () => {},
  });

  test("that is busy computing still takes runs of workspaces that have none in flight", async () => {
    const asked: [number, boolean][] = [];
    let next = 0;
    startDelivering({
      ...base(),
      admit: async ({ wanted, isOnlyNew }) => {
        asked.push([wanted, isOnlyNew]);
        const runs = isOnlyNew
          ? []
          : Array.from({ length: wanted }, () => ({ runId: `${next}`, ticket: next, jobId: next++ }));
        return { ...answer, runs };
      },
      execute: () => new Promise(() => {}),
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked[0]).toEqual([WORKING, false]);
    expect(asked.slice(1)).toEqual(Array.from({ length: asked.length - 1 }, () => [2, true]));
    expect(asked.length).toBeGreaterThanOrEqual(9);
    expect(asked.length).toBeLessThanOrEqual(12);
  });

  test("without memory executes one run at a time", async () => {
    const { startWorker, started } = stage(many(5, response), { memoryLeft: () => "none" });
    const { counts } = startWorker();
    let most = 0;
    while (started.length < 5) {
      await vi.advanceTimersByTimeAsync(1);
      most = Math.max(most, counts.held);
    }
    expect(most).toBe(1);
  });

  test("short of memory takes one run at a time from workspaces that have none in flight, and no run above the hard limit", async () => {
    const asked: [number, boolean][] = [];
    const running: (() => void)[] = [];
    let left: MemoryLeft = "few";
    startDelivering({
      ...base(),
      memoryLeft: () => left,
      admit: async ({ wanted, isOnlyNew }) => {
        asked.push([wanted, isOnlyNew]);
        return { ...answer, runs: [{ runId: `${asked.length}`, ticket: asked.length, jobId: asked.length }] };
      },
      execute: (_, slot) => slot.whileWaiting(new Promise((resolve) => running.push(() => resolve("settled")))),
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked[0]).toEqual([1, false]);
    expect(asked.slice(1)).toEqual(Array.from({ length: asked.length - 1 }, () => [1, true]));
    expect(asked.length).toBeGreaterThanOrEqual(9);
    expect(asked.length).toBeLessThanOrEqual(12);
    left = "none";
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toHaveLength(before);
    left = "enough";
    await vi.advanceTimersByTimeAsync(100);
    expect(asked[before]).toEqual([WORKING, false]);
    for (const end of running) end();
  });

  test("that stops returns the runs that arrive too late", async () => {
    const { startWorker, given, started } = stage(many(3, short));
    const { queue } = startWorker();
    const stopped = queue.stop();
    await vi.advanceTimersByTimeAsync(10);
    await stopped;
    expect(given).toEqual([0, 1, 2]);
    expect(started).toEqual([]);
  });

  test("checks again when a later run is due, not at its next poll", async () => {
    const asked: number[] = [];
    const queue: RunAdmission = startDelivering({
      ...base(),
      admit: async () => {
        asked.push(performance.now());
        return { ...answer, runs: [], hasMore: false, nextInMs: asked.length === 1 ? 700 : null };
      },
      execute: async () => "settled",
    });
    const startedAt = performance.now();
    await vi.advanceTimersByTimeAsync(1_000);
    queue.wakeIn(50);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked.map((at) => Math.round(at - startedAt))).toEqual([0, 700, 1_050]);
  });

  test("executes a requeued run only after its first execution has ended", async () => {
    const running: string[] = [];
    const ends: (() => void)[] = [];
    let tickets = 0;
    const queue = startDelivering({
      ...base(),
      admit: async () => {
        tickets += 1;
        const runs = tickets <= 2 ? [{ runId: "parent", ticket: tickets, jobId: tickets }] : [];
        return { ...answer, runs, hasMore: false };
      },
      execute: async (runId) => {
        running.push(runId);
        await new Promise<void>((resolve) => ends.push(resolve));
        return "settled";
      },
    });
    await vi.advanceTimersByTimeAsync(10);
    queue.wake();
    await vi.advanceTimersByTimeAsync(10);
    expect(tickets).toBe(2);
    expect(running).toEqual(["parent"]);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(10);
    expect(running).toEqual(["parent", "parent"]);
    ends[1]?.();
  });

  test("returns a run whose execution failed, and drops one that has nothing to execute", async () => {
    const calls: string[] = [];
    let isFirst = true;
    startDelivering({
      ...base(),
      admit: async () => {
        const runs = isFirst
          ? ["fails", "stale", "ends"].map((runId, ticket) => ({ runId, ticket, jobId: ticket }))
          : [];
        isFirst = false;
        return { ...answer, runs, hasMore: false };
      },
      execute: async (runId) => {
        if (runId === "fails") throw new Error("no");
        return runId === "stale" ? "stale" : "settled";
      },
      drop: async (run) => void calls.push(`drop ${run.runId}`),
      giveBack: async (run, isRetry) => void calls.push(`return ${run.runId}, retry: ${isRetry}`),
    });
    await vi.advanceTimersByTimeAsync(10);
    expect(calls.toSorted()).toEqual(["drop stale", "return fails, retry: true"]);
  });

  test.each([
    ["a refusal that cannot pass, at once", "42P01", 8],
    ["a refusal that may pass, after five in a row", "P0001", 12],
  ])("retries while the database is away, and ends on %s", async (_, code, triesMax) => {
    let tries = 0;
    const fault = (name: string) => Object.assign(new Error("no"), { code: name });
    const queue = startDelivering({
      ...base(),
      admit: async () => {
        tries += 1;
        throw fault(tries < 8 ? "57P01" : code);
      },
      execute: async () => "settled",
    });
    const ended = expect(queue.ended).rejects.toMatchObject({ code });
    await vi.advanceTimersByTimeAsync(10_000);
    await ended;
    expect(tries).toBe(triesMax);
  });
});
