import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { OPEN_RUNS } from "#lib/platform/db/open-runs-sql";

/** Resolves when every run has ended. Throws if a run did not succeed. */
export async function drain(db: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ open: boolean }>(`select exists (select 1 from ${OPEN_RUNS} r) as open`);
    if (!rows[0]?.open) break;
    await sleep(50);
  }
  const { rows } = await db.query<{ status: string; error: unknown }>(
    "select status, error from runs where indexed_status in ('failed', 'cancelled', 'timed_out') limit 1",
  );
  if (rows[0]) throw new Error(`a run ended ${rows[0].status}: ${JSON.stringify(rows[0].error)}`);
}
