import { log } from "#lib/platform/config/log";
import { json } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import {
  COUNTER_FAMILIES,
  type CounterName,
  type HistogramName,
  type LabelsOf,
  type SampleName,
} from "#lib/platform/metrics/counter-families";
import { createHistogram, type Histogram } from "#lib/platform/metrics/histograms";

interface CounterRow {
  name: SampleName;
  /** The labels as Prometheus writes them, without the braces. */
  labels: string;
  value: number;
}

/** The interval between writes; a scrape is rarely more frequent. */
const FLUSH_MS = 5_000;
/** A delay that is worth a write of its own; shorter ones are written with the next counts. */
const NOTABLE_DELAY_SECONDS = 0.05;

const histograms = Object.fromEntries(
  COUNTER_FAMILIES.flatMap((family) => (family.type === "histogram" ? [[family.name, createHistogram(family)]] : [])),
) as Record<HistogramName, Histogram>;

let pending = new Map<string, CounterRow>();
let timer: NodeJS.Timeout | null = null;

/** Counts in memory; every few seconds the counts are added to the table that all processes share. */
export function count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by = 1): void {
  add(name, labels, by);
}

function add(name: SampleName, labels: Record<string, string>, by: number): void {
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
  observe("signalbox_step_duration_seconds", outcome, durationMs);
}

/** Records the whole time of a run that a worker ended. */
export function observeRun(status: string, durationMs: number): void {
  observe("signalbox_run_duration_seconds", status, durationMs);
}

/** Records an answered request. */
export function observeRequest(status: number, durationMs: number): void {
  observe("signalbox_request_duration_seconds", String(status), durationMs);
}

/** Records how long work waited for a connection of an exhausted pool. */
export function observeDatabaseWait(process: string, waitMs: number): void {
  observe("signalbox_database_wait_seconds", process, waitMs);
}

/** Records how long a call of the sandbox waited for its turn. */
export function observeSandboxWait(language: "typescript" | "jsonata", waitMs: number): void {
  observe("signalbox_sandbox_wait_seconds", language, waitMs);
}

/** Records how late a turn of this process's event loop was. An idle process, whose turns are on time, writes nothing. */
export function observeEventLoopDelay(process: string, delayMs: number): void {
  const seconds = delayMs / 1000;
  histograms.signalbox_event_loop_delay_seconds.observe(process, seconds);
  if (seconds >= NOTABLE_DELAY_SECONDS) flushLater();
}

function observe(name: HistogramName, labelValue: string, ms: number): void {
  histograms[name].observe(labelValue, ms / 1000);
  flushLater();
}

function countObserved(): void {
  for (const histogram of Object.values(histograms)) {
    for (const { name, labels, by } of histogram.take()) add(name, labels, by);
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

function restore(name: SampleName, labels: string, value: number): void {
  const key = `${name} ${labels}`;
  pending.set(key, { name, labels, value: value + (pending.get(key)?.value ?? 0) });
  flushLater();
}
