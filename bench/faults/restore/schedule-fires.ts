import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { until } from "#bench/stage/until";

/** The times at which a schedule fired, each with the run that it started and the run's creation time. */
export type Fires = ReadonlyMap<string, { runId: string; createdAt: Date }>;

/** Longer than a fire's run takes, so that the next restore point is not close to a fire. */
const SETTLE_MS = 3_000;
const PATIENCE_MS = 120_000;

export async function readFires(databaseUrl: string): Promise<Fires> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; at: string; created_at: Date }>(
      "select id, input #>> '{output,timestamp}' as at, created_at from runs where source = 'schedule'",
    );
    return new Map(rows.map(({ id, at, created_at: createdAt }) => [at, { runId: id, createdAt }]));
  } finally {
    await client.end();
  }
}

/** Waits until the schedule fires again, and a little longer. */
export async function untilFired(databaseUrl: string): Promise<void> {
  const before = (await readFires(databaseUrl)).size;
  await until("the schedule to fire", async () => (await readFires(databaseUrl)).size > before, {
    deadlineMs: PATIENCE_MS,
    everyMs: 500,
  });
  await sleep(SETTLE_MS);
}
