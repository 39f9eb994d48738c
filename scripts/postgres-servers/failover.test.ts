import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { findUnavailableReason } from "#lib/platform/db/classify-database-error";
import { connectClient } from "#lib/platform/db/connect-client";
import { connectionOptions } from "#lib/platform/db/connection-options";
import { closeDb, db } from "#lib/platform/db/pool";
import { migrate } from "#prisma/migrate";
import { startThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";
import { startStandby } from "#scripts/postgres-servers/start-standby";
import { between, runVerbs } from "#worker/stories/run-stage.fixture";
import { startCountingServer, startTestWorker, type TestWorker, until } from "#worker/supervise/worker-process.fixture";

// Fast machines start more runs before the failover than a user may start in an hour.
process.env.RUNS_PER_USER_PER_HOUR = "0";

const DATABASE = "signalbox";
const password = randomBytes(12).toString("hex");
let workers: TestWorker[] = [];

const primary = await startThrowawayPostgres({ settings: {}, password });
await run(primary.cluster.url("postgres"), `create database ${DATABASE}`);
await migrate(primary.cluster.url(DATABASE));
const standby = await startStandby(primary, { isSynchronous: true });
const hosts = `127.0.0.1:${standby.cluster.port},127.0.0.1:${primary.cluster.port}`;
process.env.DATABASE_URL = `postgres://postgres:${password}@${hosts}/${DATABASE}?target_session_attrs=read-write`;
const server = await startCountingServer();
workers = await Promise.all([startTestWorker(), startTestWorker()]);
afterAll(async () => {
  for (const worker of workers) worker.child.kill("SIGKILL");
  await Promise.all(workers.map((worker) => worker.exited));
  server.close();
  await closeDb();
  await standby.remove();
  await primary.remove();
});

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

const CALLS_BEFORE = 30;
const CALLS_AFTER = 30;

test("a promoted standby continues every confirmed run under load, and no completed step runs again", async () => {
  const workspace = await addWorkspace();
  const { call } = runVerbs({ server, workspace });
  const nodes = [call("first"), call("second")];
  const action = await addAction(workspace, { definition: between(nodes, "in>first>second>out") });
  const confirmed = new Set<string>();
  let isLoading = true;
  const load = async () => {
    while (isLoading) {
      const call = await callAction({ workspace, action }).catch(() => null);
      if (call) confirmed.add(call.run.run_id);
      else await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const callers = [load(), load(), load()];
  await until("calls before the failover", () => confirmed.size >= CALLS_BEFORE);

  await primary.cluster.stop("immediate");
  await standby.promote();
  const before = confirmed.size;
  await until("calls after the failover", () => confirmed.size >= before + CALLS_AFTER);
  isLoading = false;
  await Promise.all(callers);

  const statuses = await until(
    "every run to end",
    async () => {
      const { rows } = await db().query<{ id: string; status: string }>("select id, status from runs");
      const isOver = rows.every(({ status }) => !["accepted", "running"].includes(status));
      return isOver && new Map(rows.map(({ id, status }) => [id, status]));
    },
    50_000,
  );
  expect([...confirmed].filter((id) => statuses.get(id) !== "succeeded")).toEqual([]);
  const { rows } = await db().query(
    `select run_id, node_id from runs r cross join lateral journal_events(r.id) where kind = 'step_completed'
     group by run_id, node_id, iteration having count(*) > 1`,
  );
  expect(rows).toEqual([]);
  expect(workers.map(({ child }) => child.exitCode)).toEqual([null, null]);
});

test("a session that becomes read-only is closed, and the next one is on a server that accepts writes", async () => {
  const client = await db().connect();
  await client.query("set default_transaction_read_only = on");
  await expect(client.query("update workspaces set name = name")).rejects.toThrow(/read-only transaction/);
  client.release();
  const { rows } = await db().query("show transaction_read_only");
  expect(rows).toEqual([{ transaction_read_only: "off" }]);
});

test("a server that accepts no writes is refused like a restarting database", async () => {
  const url = standby.cluster.url(DATABASE);
  await run(url, `alter database ${DATABASE} set default_transaction_read_only = on`);
  const error = await connectClient(connectionOptions(url)).catch((thrown: unknown) => thrown);
  expect(findUnavailableReason(error)).toBe("database_restarting");
  await run(standby.cluster.url("postgres"), `alter database ${DATABASE} reset default_transaction_read_only`);
  await (await connectClient(connectionOptions(url))).end();
});
