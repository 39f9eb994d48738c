import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NO_WORKSPACE } from "#lib/domain/runs/execute/admit-runs";
import { openFairPool } from "#lib/platform/child-pool/open-fair-pool";
import { startDelivering } from "#worker/execute/run-admission.fixture";
import type { Slot } from "#worker/execute/slots";

/** More runs than may work, and fewer than may wait. */
const SLOTS = 200;
const WORKING = 10;
const ROUND_TRIP_MS = 1;
const { signal } = new AbortController();
const LIMITS = { bytes: 1, timeoutMs: 600_000, cpuMs: 600_000, signal };
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A child process whose call takes as long as its message says. */
class FakeChild extends EventEmitter {
  readonly connected = true;
  isBusy = false;

  send({ ms }: { ms?: number }): boolean {
    this.isBusy = true;
    setTimeout(() => {
      this.isBusy = false;
      this.emit("message", { isWorn: false });
    }, ms);
    return true;
  }

  kill(): boolean {
    return true;
  }
}

const queueOf = (runs: number) => Array.from({ length: runs }, (_, index) => index);

/** Starts a worker on a queue of one workspace's runs, each with a code step. Its sandbox has this many children. */
function startWorker(queued: number[], { codeMs, children }: { codeMs: number; children: number }) {
  const started: FakeChild[] = [];
  const counts = { held: 0, done: 0 };
  const pool = openFairPool({
    start: async () => {
      const child = new FakeChild();
      started.push(child);
      return child;
    },
    children: { shared: children, reserved: 0 },
    queue: { calls: SLOTS, bytes: SLOTS },
    callsPerChild: Number.POSITIVE_INFINITY,
    killMs: 500,
  });
  const execute = async (_runId: string, slot: Slot) => {
    counts.held += 1;
    await sleep(ROUND_TRIP_MS);
    const endTurn = slot.expectTurn();
    const call = { ...LIMITS, workspaceId: "w", message: { ms: codeMs }, onTurn: endTurn };
    await slot.whileWaiting(pool.run(call));
    await sleep(ROUND_TRIP_MS);
    counts.held -= 1;
    counts.done += 1;
    return "settled" as const;
  };
  const queue = startDelivering({
    slots: SLOTS,
    workingMax: () => WORKING,
    admit: async ({ wanted, isOnlyNew }) => {
      await sleep(ROUND_TRIP_MS);
      const taken = queued.splice(0, isOnlyNew && counts.held > 0 ? 0 : wanted);
      const found = taken.map((run) => ({ runId: String(run), ticket: run, jobId: run }));
      return { runs: found, lastWorkspace: NO_WORKSPACE, hasMore: queued.length > 0, nextInMs: null };
    },
    execute,
    drop: async () => {},
    giveBack: async () => {},
  });
  const busy = () => started.filter(({ isBusy }) => isBusy).length;
  return { queue, counts, busy, load: () => pool.load() };
}

/** Until this time, the first runs are on their way to the sandbox. */
const ON_THEIR_WAY_MS = 10;

describe("a backlog of runs with a code step", () => {
  test.each([
    [2, 2],
    [10, 8],
    [50, 2],
    [5_000, 8],
  ])("with code of %i ms leaves none of %i children idle while runs are queued", async (codeMs, children) => {
    const queued = queueOf(500);
    const { queue, counts, busy } = startWorker(queued, { codeMs, children });
    await vi.advanceTimersByTimeAsync(ON_THEIR_WAY_MS);
    const samples: number[] = [];
    while (queued.length > 0) {
      samples.push(busy());
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(samples.filter((count) => count < children)).toEqual([]);
    await vi.advanceTimersByTimeAsync(500 * codeMs);
    expect(counts.done).toBe(500);
    await queue.stop();
  });

  test.each([
    [2, 2],
    [10, 8],
  ])("with code of %i ms for %i children takes no more runs than can soon be executed", async (codeMs, children) => {
    const { queue, counts } = startWorker(queueOf(500), { codeMs, children });
    let most = 0;
    while (counts.done < 500) {
      await vi.advanceTimersByTimeAsync(1);
      most = Math.max(most, counts.held);
    }
    expect(most).toBeLessThanOrEqual(WORKING + children);
    await queue.stop();
  });

  test("is shared evenly by workers, so that no run waits at a worker while another worker's child is idle", async () => {
    const queued = queueOf(300);
    const workers = Array.from({ length: 3 }, () => startWorker(queued, { codeMs: 10, children: 2 }));
    await vi.advanceTimersByTimeAsync(ON_THEIR_WAY_MS);
    while (queued.length > 0) {
      expect(workers.map(({ busy }) => busy())).toEqual([2, 2, 2]);
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    const shares = workers.map(({ counts }) => counts.done);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(WORKING);
    await Promise.all(workers.map(({ queue }) => queue.stop()));
  });

  test("with slow code takes the runs that fit, so that places for other runs stay free", async () => {
    const { queue, counts, load } = startWorker(queueOf(500), { codeMs: 60_000, children: 2 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(counts.held).toBe(SLOTS);
    expect(load()).toMatchObject({ running: 2, waiting: SLOTS - 2 });
    await vi.advanceTimersByTimeAsync(500 * 60_000);
    await queue.stop();
  });
});
