import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** How the slots of all workers were used while runs waited, from regular samples of the queue. */
export interface SlotUse {
  /** The number of runs that all workers may execute at once. */
  slots: number;
  /** The average number of taken slots. */
  taken: number;
  /** Each worker's share of the taken slots, smallest first. */
  shares: number[];
  /** The longest time, in ms, in which never all slots were taken. No slot was idle for longer. */
  idleMs: number;
}

interface Sample {
  slots: number;
  held: Record<string, number>;
  isWaiting: boolean;
  isOpen: boolean;
}

const INTERVAL_MS = 25;
const SAMPLE = `select
  (select coalesce(sum(slots), 0)::int from worker_heartbeats where dead_at is null and not quarantine) as slots,
  (select coalesce(json_object_agg(taken_by, held), '{}') from (
    select taken_by, count(*) as held from run_queue where ticket is not null group by taken_by) t) as held,
  exists (select 1 from run_queue where ticket is null and not is_later) as "isWaiting",
  exists (select 1 from run_queue) as "isOpen"`;

/** Watches until the queue is empty, or for `seconds`. Counting starts when a worker takes the first run. */
export async function watchSlots(db: pg.Pool, seconds = Number.POSITIVE_INFINITY): Promise<SlotUse> {
  const takenBy = new Map<string, number>();
  let [samples, slots] = [0, 0];
  let [lastFullMs, idleMs] = [performance.now(), 0];
  for (const endMs = performance.now() + seconds * 1_000; performance.now() < endMs; await sleep(INTERVAL_MS)) {
    const { rows } = await db.query<Sample>(SAMPLE);
    const [sample] = rows;
    if (!sample?.isOpen) break;
    slots = Math.max(slots, sample.slots);
    const held = Object.entries(sample.held);
    const isFull = !sample.isWaiting || held.reduce((sum, [, runs]) => sum + runs, 0) >= slots;
    if (isFull || samples === 0) lastFullMs = performance.now();
    idleMs = Math.max(idleMs, performance.now() - lastFullMs);
    if (!sample.isWaiting || (samples === 0 && held.length === 0)) continue;
    samples += 1;
    for (const [worker, runs] of held) takenBy.set(worker, (takenBy.get(worker) ?? 0) + runs);
  }
  const sums = [...takenBy.values()];
  const total = sums.reduce((sum, runs) => sum + runs, 0);
  return {
    slots,
    taken: total / Math.max(1, samples),
    shares: sums.map((runs) => runs / total).toSorted((a, b) => a - b),
    idleMs,
  };
}
