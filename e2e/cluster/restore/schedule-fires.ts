import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { until } from "#bench/chaos/until";

/** The times that a schedule fired, with the run that each started and when. */
export type Fires = ReadonlyMap<string, { runId: string; createdAt: Date }>;

/** Longer than the run of a fire takes, so that the next moment is not close to a fire. */
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

/** Waits until the schedule has fired another time, and a little longer. */
export async function untilFired(databaseUrl: string): Promise<void> {
  const before = (await readFires(databaseUrl)).size;
  await until("the schedule to fire", async () => (await readFires(databaseUrl)).size > before, {
    deadlineMs: PATIENCE_MS,
    everyMs: 500,
  });
  await sleep(SETTLE_MS);
}
