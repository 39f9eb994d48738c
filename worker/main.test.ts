import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { until } from "#worker/supervise/worker-process.fixture";

useTestDatabase();

let child: ChildProcess | null = null;
afterEach(() => child?.kill("SIGKILL"));

it.each(["before it listens", "while it registers"])(
  "a worker whose parent dies %s signs off properly, so that its runs are not suspected",
  async (moment) => {
    child = fork("worker/main.ts", [], { execArgv: [], env: process.env });
    const exited = once(child, "exit");
    if (moment === "while it registers") {
      await until("its heartbeat", async () => (await readWorkers()).some((worker) => worker.pid === child?.pid));
    }
    child.disconnect();
    expect(await exited).toEqual([0, null]);
    expect((await readWorkers()).filter((worker) => worker.pid === child?.pid)).toMatchObject([{ gone: true }]);
  },
);

async function readWorkers(): Promise<{ pid: number; gone: boolean }[]> {
  const { rows } = await db().query("select pid, dead_at is not null as gone from worker_heartbeats");
  return rows;
}
