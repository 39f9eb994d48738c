import { setTimeout as sleep } from "node:timers/promises";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { compareToNumber, type Figure } from "#bench/figures";
import { percentile } from "#bench/measure/statistics";
import type { Product } from "#bench/stage/product";
import { triggerDefinition } from "#lib/domain/triggers/trigger.fixture";

const SCHEDULES = 200;
const AHEAD_SECONDS = 3;
const DEADLINE_MS = 60_000;
const INTERVAL = { kind: "schedule", mode: "interval", seconds: 3_600 };

/** Makes every schedule due at the same second, as at the full hour, and repeats this in each round. */
export const schedules: Benchmark = {
  summary: `how late ${SCHEDULES} schedules fire that are due at the same second, and how late their runs start`,
  run: ({ rounds, profile }) =>
    withProduct({ profile, workers: 2 }, async (product) => {
      await product.activate("scheduled", triggerDefinition(INTERVAL));
      await multiplySchedules(product, SCHEDULES);
      const firedMs: number[] = [];
      const startedMs: number[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const times = await fireAll(product);
        if (round === 0) continue;
        firedMs.push(...times.map((time) => time.fired));
        startedMs.push(...times.map((time) => time.started));
      }
      return [
        { figure: "due to accepted, p50 ms", measured: percentile(firedMs, 0.5) },
        { figure: "due to accepted, p95 ms", measured: percentile(firedMs, 0.95) },
        compareToNumber("due to accepted, p99 ms", percentile(firedMs, 0.99), { atMost: 1_500 }),
        { figure: "due to accepted, longest ms", measured: Math.max(...firedMs) },
        ...started(startedMs),
      ];
    }),
};

function started(times: readonly number[]): Figure[] {
  return [
    { figure: "due to first step, p50 ms", measured: percentile(times, 0.5) },
    { figure: "due to first step, p95 ms", measured: percentile(times, 0.95) },
    { figure: "due to first step, longest ms", measured: Math.max(...times) },
  ];
}

/** Copies the one schedule, which was activated the way a user does it, until there are `total` schedules. */
export async function multiplySchedules({ db }: Pick<Product, "db">, total: number): Promise<void> {
  await db.query(
    `with first as (select workflow_id from trigger_subscriptions where kind = 'schedule' limit 1),
     copies as (
       insert into workflows select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
       from workflows w, first f, generate_series(2, $1) where w.id = f.workflow_id returning id
     ), versions as (
       insert into workflow_versions
       select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(), 'workflow_id', c.id))).*
       from workflow_versions v join first f on f.workflow_id = v.workflow_id, copies c
     )
     insert into trigger_subscriptions
     select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'workflow_id', c.id))).*
     from trigger_subscriptions s join first f on f.workflow_id = s.workflow_id, copies c`,
    [total],
  );
}

/**
 * Fires all schedules.
 * @returns for each schedule, the ms from its due time until the run existed and until it started, by the database's
 * clock
 */
async function fireAll({ db }: Product): Promise<{ fired: number; started: number }[]> {
  const { rows: due } = await db.query<{ at: string }>(
    `update trigger_subscriptions set anchored_at = at, next_at = at
     from (select date_trunc('second', clock_timestamp()) + make_interval(secs => $1) as at) as moment
     where kind = 'schedule' returning to_char(next_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
    [AHEAD_SECONDS],
  );
  const moment = due[0]?.at;
  for (const end = performance.now() + DEADLINE_MS; performance.now() < end; await sleep(100)) {
    const { rows } = await db.query<{ fired: number; started: number; isOver: boolean }>(
      `select extract(epoch from created_at - $1::text::timestamptz)::float8 * 1000 as fired,
         extract(epoch from started_at - $1::text::timestamptz)::float8 * 1000 as started,
         completed_at is not null as "isOver"
       from runs where source = 'schedule' and input #>> '{output,timestamp}' = $1::text`,
      [moment],
    );
    if (rows.length === SCHEDULES && rows.every((row) => row.isOver)) return rows;
    if (rows.length > SCHEDULES) throw new Error(`${rows.length} runs of ${SCHEDULES} schedules`);
  }
  throw new Error(`the schedules of ${moment} have not all fired and ended`);
}
