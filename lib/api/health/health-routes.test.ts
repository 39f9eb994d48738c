import pg from "pg";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { healthRoute, readinessRoute } from "#lib/api/health/health-routes";
import { startDraining } from "#lib/platform/config/web-shutdown";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

async function readiness(): Promise<{ status: number; body: unknown }> {
  const response = await readinessRoute();
  return { status: response.status, body: await response.json() };
}

async function seeWorker(poolId: string, secondsAgo: number, isDead = false): Promise<void> {
  await db().query(
    `insert into worker_heartbeats (pool_id, host, pid, last_seen_at, dead_at)
     values ($1, 'host', 1, now() - $2 * interval '1 second', case when $3 then now() end)`,
    [poolId, secondsAgo, isDead],
  );
}

beforeEach(async () => {
  await db().query("delete from worker_heartbeats");
});

test("/healthz answers while the process runs", async () => {
  const response = healthRoute();
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok" });
});

describe("/readyz", () => {
  test("is 200 with the database, every migration and a live worker", async () => {
    await seeWorker("alive", 1);
    expect(await readiness()).toEqual({
      status: 200,
      body: { status: "ready", checks: { database: "ok", migrations: "ok", worker: "ok" } },
    });
  });

  test("is 503 while no worker is live; a silent one and one declared dead do not count", async () => {
    await seeWorker("silent", 11);
    await seeWorker("dead", 1, true);
    expect(await readiness()).toMatchObject({ status: 503, body: { checks: { worker: "none seen within 10 s" } } });
  });

  test("is 503 while a migration is not applied", async () => {
    await seeWorker("alive", 1);
    await db().query(`update _prisma_migrations set rolled_back_at = now()
                      where migration_name = (select max(migration_name) from _prisma_migrations)`);
    const answer = await readiness();
    await db().query("update _prisma_migrations set rolled_back_at = null");
    expect(answer).toMatchObject({ status: 503, body: { checks: { migrations: "1 not applied" } } });
  });

  test("is 503 and reveals no internals while the database is unavailable", async () => {
    const name = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
    const admin = new pg.Client({ connectionString: inject("postgresUrl") });
    await admin.connect();
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    const answer = await readiness();
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
    expect(answer).toEqual({
      status: 503,
      body: {
        status: "unavailable",
        checks: { database: "cannot be reached", migrations: "unknown", worker: "unknown" },
      },
    });
  });

  test("names a queue that no live worker serves, and stays 200: the other queues work", async () => {
    await seeWorker("alive", 1);
    await db().query(`update worker_heartbeats set queues = '{default}';
      insert into workspaces (id, slug, name, queue) values (gen_random_uuid(), 'heavy', 'Heavy', 'heavy')`);
    expect(await readiness()).toMatchObject({
      status: 200,
      body: { status: "ready", checks: { worker: "ok", queues: "no worker serves heavy" } },
    });
    await db().query("delete from workspaces");
  });

  test("is 503 once the web server was asked to stop, while /healthz stays 200", async () => {
    await seeWorker("alive", 1);
    startDraining();
    expect(await readiness()).toEqual({ status: 503, body: { status: "draining", checks: {} } });
    expect(healthRoute().status).toBe(200);
  });
});
