import { log } from "#lib/platform/config/log";
import { json } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { createHistogram } from "#lib/platform/metrics/histograms";

/** Counters that processes keep; a histogram is made of three of them. */
export const COUNTER_NAMES = [
  "signalbox_runs_finished_total",
  "signalbox_step_duration_seconds_bucket",
  "signalbox_step_duration_seconds_sum",
  "signalbox_step_duration_seconds_count",
  "signalbox_event_loop_delay_seconds_bucket",
  "signalbox_event_loop_delay_seconds_sum",
  "signalbox_event_loop_delay_seconds_count",
  "signalbox_sandbox_wait_seconds_bucket",
  "signalbox_sandbox_wait_seconds_sum",
  "signalbox_sandbox_wait_seconds_count",
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
/** A delay that is worth a write of its own; shorter ones are written with the next counts. */
const NOTABLE_DELAY_SECONDS = 0.05;

const stepDurations = createHistogram({
  name: "signalbox_step_duration_seconds",
  label: "outcome",
  boundsSeconds: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30, Infinity],
});
const eventLoopDelays = createHistogram({
  name: "signalbox_event_loop_delay_seconds",
  label: "process",
  boundsSeconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 5, Infinity],
});
const sandboxWaits = createHistogram({
  name: "signalbox_sandbox_wait_seconds",
  label: "language",
  boundsSeconds: [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120, Infinity],
});

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
  flushLater();
}

function flushLater(): void {
  timer ??= setTimeout(() => void flushCounters(), FLUSH_MS).unref();
}

/** Records one attempt of a step, by the kind of its journal entry. */
export function observeStep(outcome: string, durationMs: number): void {
  stepDurations.observe(outcome, durationMs / 1000);
  flushLater();
}

/** Records how late a turn of this process's event loop was. An idle process, whose turns are on time, writes nothing. */
export function observeEventLoopDelay(process: string, delayMs: number): void {
  const seconds = delayMs / 1000;
  eventLoopDelays.observe(process, seconds);
  if (seconds >= NOTABLE_DELAY_SECONDS) flushLater();
}

/** Records how long a call of the sandbox waited for its turn. */
export function observeSandboxWait(language: "typescript" | "jsonata", waitMs: number): void {
  sandboxWaits.observe(language, waitMs / 1000);
  flushLater();
}

function countObserved(): void {
  for (const { name, labels, by } of [...stepDurations.take(), ...eventLoopDelays.take(), ...sandboxWaits.take()]) {
    count(name as CounterName, labels, by);
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
  flushLater();
}
