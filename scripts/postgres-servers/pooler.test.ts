import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { watchRuns } from "#lib/domain/runs/notify/watch-runs";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { RUN_TASK } from "#lib/platform/jobs/payloads";
import { eventually } from "#lib/support/eventually.fixture";
import { migrate } from "#prisma/migrate";
import { startPgbouncer } from "#scripts/postgres-servers/start-pgbouncer";
import { between, runVerbs } from "#worker/stories/run-stage.fixture";
import {
  type CountingServer,
  startCountingServer,
  startTestWorker,
  type TestWorker,
  until,
} from "#worker/supervise/worker-process.fixture";

await openTestDatabase();

const POOL_SIZE = 4;
const parts = { workers: [] } as unknown as { server: CountingServer; workspace: TestWorkspace; workers: TestWorker[] };
const stage = Object.assign(parts, runVerbs(parts));
const direct = process.env.DATABASE_URL ?? "";
const pooler = await startPgbouncer({ databaseUrl: direct, poolSize: POOL_SIZE });
Object.assign(process.env, { DATABASE_URL: pooler.url, DATABASE_URL_DIRECT: direct });
stage.server = await startCountingServer();
stage.workspace = await addWorkspace();
stage.workers = await Promise.all([startTestWorker(), startTestWorker()]);
afterAll(async () => {
  for (const worker of stage.workers) worker.child.kill("SIGKILL");
  await Promise.all(stage.workers.map((worker) => worker.exited));
  stage.server.close();
  await pooler.remove();
});

test("through a transaction pooler, runs end, gates open, and web processes are notified of changed runs", async () => {
  const { workspaceId } = stage.workspace;
  const heard = new Set<string>();
  const stop = await watchRuns(workspaceId, (runId) => heard.add(runId));
  const gate = node("gate", "approval", { name: "Check", message: "Continue?" });
  const nodes = [stage.call("before"), gate, stage.call("after")];
  const gated = await stage.start(nodes, "in>before>gate.approved>after>out");
  const plain = between([stage.call("call")], "in>call>out");
  const runs = await Promise.all(Array.from({ length: 40 }, () => stage.startDefinition(plain)));
  // Before the first of them is idle for so long that it is closed.
  const clients = (await pooler.show("clients")).filter(({ database }) => database !== "pgbouncer");
  expect(clients.length).toBeGreaterThan(POOL_SIZE);
  await stage.reaches(gated, "waiting_for_approval");
  await stage.decide(gated);
  for (const run of [...runs, gated]) await stage.reaches(run, "succeeded");
  await eventually(() => expect(heard).toEqual(new Set([...runs, gated].map(({ runId }) => runId))));
  stop();
  expect(stage.server.of("/call")).toHaveLength(runs.length);
  await jobsAreRemoved();
});

/** The statements that remove jobs have names, which the pooler's connections do not know: one that fails is logged. */
async function jobsAreRemoved(): Promise<void> {
  await eventually(async () => {
    const { rows } = await db().query("select 1 from graphile_worker.jobs where task_identifier = $1", [RUN_TASK]);
    expect(rows).toEqual([]);
  });
  for (const { output } of stage.workers) expect(output()).not.toContain("could not be removed");
}

test("only listening connections bypass the pooler, which has few connections", async () => {
  const servers = await pooler.show("servers");
  expect(servers.length).toBeLessThanOrEqual(POOL_SIZE);
  const lent = servers.map(({ local_port: port }) => Number(port));
  // The watchRuns() connection of the previous test closes a moment after its last watcher.
  const around = await eventually(async () => {
    const { rows } = await db().query<{ query: string }>({
      text: `select query from pg_stat_activity
             where datname = current_database() and backend_type = 'client backend' and client_port <> all($1::int[])`,
      values: [lent],
    });
    // Each worker has one connection for the heartbeat, which also listens, and one of graphile-worker. The pool that
    // executes runs listens to nothing.
    expect(rows).toHaveLength(2 * stage.workers.length);
    return rows.map(({ query }) => query);
  });
  const listeners = around.filter((query) => /^listen/i.test(query));
  const heartbeats = around.filter((query) => query.includes("worker_heartbeats"));
  expect([listeners.length, heartbeats.length]).toEqual([stage.workers.length, stage.workers.length]);
});

test("dates keep their zone, and a Prisma transaction is one transaction", async () => {
  const name = randomUUID();
  await expect(
    prismaTransaction(async (tx) => {
      await tx.prisma.instanceSetting.create({ data: { name, value: "1" } });
      await tx.query({ text: "insert into instance_settings (name, value) values ($1, '2')", values: [name] });
    }),
  ).rejects.toThrow();
  const { rows } = await db().query("select count(*)::int as n from instance_settings where name = $1", [name]);
  expect(rows).toEqual([{ n: 0 }]);
  const zones = await Promise.all(Array.from({ length: 20 }, () => db().query("show timezone")));
  expect(new Set(zones.map((zone) => zone.rows[0].TimeZone))).toEqual(new Set(["UTC"]));
});

test("runs continue after the pooler is killed and restarted, and the jobs of those that ended before are removed", async () => {
  const plain = between([stage.call("again")], "in>again>out");
  stage.server.hold("/again");
  const before = await Promise.all([stage.startDefinition(plain), stage.startDefinition(plain)]);
  await eventually(() => expect(stage.server.of("/again")).toHaveLength(before.length));
  const holder = new pg.Client({ connectionString: direct });
  await holder.connect();
  // From here on, runs end, and their jobs stay.
  await holder.query("begin; lock table graphile_worker._private_jobs in share mode");
  stage.server.release("/again");
  for (const run of before) await stage.reaches(run, "succeeded");
  process.kill(pooler.pid, "SIGKILL");
  await holder.end();
  await pooler.restart();
  const run = await until("the pooler to take a call", () => stage.startDefinition(plain).catch(() => null));
  await stage.reaches(run, "succeeded");
  await jobsAreRemoved();
  expect(stage.workers.map(({ child }) => child.exitCode)).toEqual(stage.workers.map(() => null));
});

test("migrations use the direct address", async () => {
  expect(await migrate(direct)).toEqual([]);
});
