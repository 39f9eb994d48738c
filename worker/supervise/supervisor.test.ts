import { openSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import type { KeptProcess } from "#worker/supervise/keep-running";
import { closeSupervisor, superviseWorkers } from "#worker/supervise/supervisor";
import { until } from "#worker/supervise/worker-process.fixture";

useTestDatabase();

let processes: KeptProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.map((one) => one.stop(0)));
  await closeSupervisor();
});

it("a worker that dies is replaced by the standby, and a new standby starts", async () => {
  processes = superviseWorkers(1, { env: process.env, log: openSync("/dev/null", "a"), report: () => {} });
  const [worker, standBy, quarantine] = processes;
  const first = await until("a worker", () => findLiveWorker());
  const waiting = await until("a standby", () => standBy?.pid());
  expect([worker?.pid(), quarantine?.pid()]).toEqual([first, undefined]);
  process.kill(first, "SIGKILL");
  expect(await until("its successor", () => findLiveWorker(first))).toBe(waiting);
  expect(worker?.pid()).toBe(waiting);
  expect(await until("the next standby", () => standBy?.pid())).not.toBe(waiting);
});

/** Finds a worker that still counts as alive and is not the one that died. */
async function findLiveWorker(dead = 0): Promise<number | undefined> {
  const { rows } = await db().query<{ pid: number }>({
    text: "select pid from worker_heartbeats where dead_at is null and pid <> $1",
    values: [dead],
  });
  return rows[0]?.pid;
}
