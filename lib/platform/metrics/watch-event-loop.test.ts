import { afterEach, describe, expect, test, vi } from "vitest";
import { log } from "#lib/platform/config/log";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { flushCounters } from "#lib/platform/metrics/counters";
import { findBlockingWork, noteWork, type Work } from "#lib/platform/metrics/note-work";
import { stopWatchingEventLoop, watchEventLoop } from "#lib/platform/metrics/watch-event-loop";

useTestDatabase();

const HOSTILE: Work = { workspaceId: "w-1", callerId: "key-1", operation: "update_workflow" };
const INNOCENT: Work = { workspaceId: "w-2", runId: "run-2" };

let lines: Record<string, unknown>[] = [];
const clock = { nowMs: 1_000_000_000, cpuMs: 0 };

/** Each test controls the clock, so that no test waits and none depends on the load of the machine. */
function watch(): void {
  lines = [];
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  vi.spyOn(performance, "now").mockImplementation(() => clock.nowMs);
  vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: clock.cpuMs * 1_000, system: 0 }));
  vi.spyOn(log, "warn").mockImplementation((facts: unknown, msg?: string) => {
    lines.push({ ...(facts as object), msg });
  });
  watchEventLoop("web");
}

/** Lets the loop take its next turn, this much too late. The process computes for all of that time by default. */
function turn(delayMs: number, cpuMs = delayMs): void {
  clock.nowMs += 20 + delayMs;
  clock.cpuMs += cpuMs;
  vi.advanceTimersByTime(20);
}

afterEach(() => {
  stopWatchingEventLoop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the watch of the event loop", () => {
  test("counts every delay of a process in the shared histogram", async () => {
    watch();
    for (const delayMs of [0, 30, 60, 7_000]) turn(delayMs);
    vi.restoreAllMocks();
    await flushCounters();
    const { rows } = await db().query(
      "select name, labels, value from metric_counters where name like 'signalbox_event_loop%'",
    );
    const bucket = (le: string) =>
      rows.find((row) => row.labels === `process="web",le="${le}"` && row.name.endsWith("_bucket"))?.value;
    expect(["0.005", "0.05", "0.1", "5", "+Inf"].map(bucket)).toEqual([1, 2, 3, 3, 4]);
    expect(rows.find((row) => row.name.endsWith("_count"))?.value).toBe(4);
  });

  test("a delay above 200 ms is logged with workspace, caller and operation", () => {
    watch();
    noteWork(HOSTILE);
    turn(750);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: "the event loop was blocked",
        count: 1,
        delay_ms: 750,
        cpu_ms: 750,
        workspace_id: "w-1",
        caller_id: "key-1",
        operation: "update_workflow",
      }),
    ]);
  });

  test("a delay above 200 ms in a worker is logged with run and step", () => {
    watch();
    noteWork(INNOCENT, "send_mail");
    turn(300);
    expect(lines).toMatchObject([{ delay_ms: 300, workspace_id: "w-2", run_id: "run-2", node_id: "send_mail" }]);
  });

  test("a delay of 200 ms or less is not logged", () => {
    watch();
    noteWork(HOSTILE);
    turn(200);
    expect(lines).toEqual([]);
  });

  test("a process that got no processor was starved, not blocked", () => {
    watch();
    turn(3_885, 96);
    expect(lines).toMatchObject([{ msg: "the event loop was starved", delay_ms: 3_885, cpu_ms: 96 }]);
  });

  test("a minute of delays is one line with their number, the longest one, and its work", () => {
    watch();
    turn(300);
    noteWork(HOSTILE);
    turn(5_000);
    noteWork(INNOCENT);
    for (let delays = 0; delays < 300; delays += 1) turn(230);
    const minutes = Math.ceil((5_020 + 300 * 250) / 60_000);
    expect(lines).toHaveLength(minutes);
    expect(lines[0]).toMatchObject({ count: 1, delay_ms: 300 });
    expect(lines[1]).toMatchObject({
      delay_ms: 5_000,
      cpu_ms: 5_000,
      caller_id: "key-1",
      operation: "update_workflow",
    });
  });

  test("the last delays before a quiet time are logged too, once", () => {
    watch();
    for (const delayMs of [300, 400, 600, 500]) turn(delayMs);
    for (let turns = 0; turns < 10_000; turns += 1) turn(0);
    expect(lines).toMatchObject([
      { count: 1, delay_ms: 300 },
      { count: 3, delay_ms: 600 },
    ]);
  });

  test("does not wake a process without work, and measures again from its next work on", () => {
    watch();
    for (let turns = 0; turns < 51; turns += 1) turn(0);
    const read = vi.mocked(performance.now).mock.calls.length;
    vi.advanceTimersByTime(9_000);
    expect(vi.mocked(performance.now).mock.calls).toHaveLength(read);
    clock.nowMs += 9_000;
    noteWork(HOSTILE);
    turn(750);
    expect(lines).toMatchObject([{ delay_ms: 750, cpu_ms: 750, workspace_id: "w-1" }]);
  });

  test("a process that works without notes is measured all the time", () => {
    watch();
    for (let turns = 0; turns < 200; turns += 1) turn(5);
    turn(300);
    expect(lines).toMatchObject([{ delay_ms: 300 }]);
  });

  test("a delay of a process that was at rest is logged, even if no note announced the work", async () => {
    watch();
    for (let turns = 0; turns < 51; turns += 1) turn(0);
    // The clock is the test's, so this one is real.
    for (const end = process.hrtime.bigint() + 250_000_000n; process.hrtime.bigint() < end; );
    await new Promise((resolve) => setImmediate(resolve));
    clock.cpuMs += 250;
    vi.advanceTimersByTime(10_000);
    expect(lines).toMatchObject([{ msg: "the event loop was blocked", cpu_ms: 250 }]);
    expect(lines[0]?.delay_ms).toBeGreaterThanOrEqual(249);
  });

  test("takes turns again if it computes at rest, without a note", () => {
    watch();
    for (let turns = 0; turns < 51; turns += 1) turn(0);
    clock.cpuMs += 500;
    vi.advanceTimersByTime(10_000);
    turn(300);
    expect(lines).toMatchObject([{ delay_ms: 300 }]);
  });

  test("starts once per process", () => {
    watch();
    watchEventLoop("web");
    turn(500);
    expect(lines).toHaveLength(1);
  });
});

describe("the work that blocked", () => {
  test("is what started last before the longest gap, not what ran before or after it", () => {
    const at = (ms: number, work: Work) => {
      clock.nowMs = ms;
      noteWork(work);
    };
    vi.spyOn(performance, "now").mockImplementation(() => clock.nowMs);
    const start = clock.nowMs + 10_000;
    at(start + 1, INNOCENT);
    at(start + 2, HOSTILE);
    at(start + 902, INNOCENT);
    at(start + 903, INNOCENT);
    expect(findBlockingWork(start, start + 905)?.work).toEqual(HOSTILE);
  });

  test("is found when it started before the last turn", () => {
    vi.spyOn(performance, "now").mockImplementation(() => clock.nowMs);
    clock.nowMs += 10_000;
    noteWork(HOSTILE);
    expect(findBlockingWork(clock.nowMs + 5_000, clock.nowMs + 6_000)?.work).toEqual(HOSTILE);
  });
});
