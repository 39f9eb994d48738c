import { log } from "#lib/platform/config/log";
import { json } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** Counters that processes keep; `signalbox_step_duration_seconds` is a histogram made of three of them. */
export const COUNTER_NAMES = [
  "signalbox_runs_finished_total",
  "signalbox_step_duration_seconds_bucket",
  "signalbox_step_duration_seconds_sum",
  "signalbox_step_duration_seconds_count",
  "signalbox_sweeper_actions_total",
  "signalbox_webhook_rejections_total",
] as const;
export type CounterName = (typeof COUNTER_NAMES)[number];

interface CounterRow {
  name: CounterName;
  /** The labels as Prometheus writes them, without the braces. */
  labels: string;
  value: number;
}

/** The interval between writes; a scrape is rarely more frequent. */
const FLUSH_MS = 5_000;
const BOUNDS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30, Infinity];

let pending = new Map<string, CounterRow>();
let timer: NodeJS.Timeout | null = null;

/** Counts in memory; every few seconds the counts are added to the table that all processes share. */
export function count(name: CounterName, labels: Record<string, string>, by = 1): void {
  const text = Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(",");
  const key = `${name} ${text}`;
  const row = pending.get(key);
  if (row) row.value += by;
  else pending.set(key, { name, labels: text, value: by });
  timer ??= setTimeout(() => void flushCounters(), FLUSH_MS).unref();
}

interface Histogram {
  /** How many were at most as long as each bound; the last entry has no bound. */
  counts: number[];
  sumSeconds: number;
}

/** By outcome. Observed hundreds of thousands of times per write, so names and labels are built only at the write. */
let observed = new Map<string, Histogram>();

/** Records one attempt of a step, by the kind of its journal entry. */
export function observeStep(outcome: string, durationMs: number): void {
  const seconds = durationMs / 1000;
  const histogram = observed.get(outcome) ?? { counts: BOUNDS_SECONDS.map(() => 0), sumSeconds: 0 };
  observed.set(outcome, histogram);
  for (const [index, bound] of BOUNDS_SECONDS.entries()) {
    if (seconds <= bound) histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
  }
  histogram.sumSeconds += seconds;
  timer ??= setTimeout(() => void flushCounters(), FLUSH_MS).unref();
}

function countObserved(): void {
  const taken = observed;
  observed = new Map();
  for (const [outcome, { counts, sumSeconds }] of taken) {
    for (const [index, bound] of BOUNDS_SECONDS.entries()) {
      const le = bound === Infinity ? "+Inf" : String(bound);
      count("signalbox_step_duration_seconds_bucket", { outcome, le }, counts[index]);
    }
    count("signalbox_step_duration_seconds_sum", { outcome }, sumSeconds);
    count("signalbox_step_duration_seconds_count", { outcome }, counts.at(-1));
  }
}

const addToCounters = defineStatement({
  name: "add_to_counters",
  params: { rows: json<CounterRow[]>() },
  // Always in the same order, so that two processes never deadlock.
  sql: `insert into metric_counters (name, labels, value)
        select name, labels, value from json_to_recordset($1::json) as c (name text, labels text, value float8)
        order by name, labels
        on conflict (name, labels) do update set value = metric_counters.value + excluded.value`,
});

/** Writes the counts since the last write. Counts that cannot be written now are kept for the next one. */
export async function flushCounters(): Promise<void> {
  countObserved();
  if (timer) clearTimeout(timer);
  timer = null;
  const rows = [...pending.values()];
  if (rows.length === 0) return;
  pending = new Map();
  try {
    await addToCounters.run(db(), { rows });
  } catch (error) {
    log.warn({ err: error }, "metrics could not be written");
    for (const { name, labels, value } of rows) restore(name, labels, value);
  }
}

function restore(name: CounterName, labels: string, value: number): void {
  const key = `${name} ${labels}`;
  pending.set(key, { name, labels, value: value + (pending.get(key)?.value ?? 0) });
  timer ??= setTimeout(() => void flushCounters(), FLUSH_MS).unref();
}
