import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#lib/platform/config/log";
import { enumOf, float8, integer, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { COUNTER_FAMILIES, HISTOGRAM_PARTS, SAMPLE_NAMES } from "#lib/platform/metrics/counter-families";
import { flushCounters } from "#lib/platform/metrics/counters";
import { GAUGES } from "#lib/platform/metrics/gauges";
import { emptySamples } from "#lib/platform/metrics/histograms";
import type { MetricDescription, MetricFamily, MetricSample } from "#lib/platform/metrics/metric-family";

const DATABASE_UP: MetricDescription = {
  name: "signalbox_database_up",
  type: "gauge",
  labels: [],
  help: "1 if this web process can use the database, else 0.",
};

/** Every metric: the one list that `/metrics`, the exports over OTLP and the checks of the dashboard share. */
export const METRICS: readonly MetricDescription[] = [DATABASE_UP, ...GAUGES, ...COUNTER_FAMILIES];

/** Prometheus waits 10 s for an answer. A slow figure must not cost all of them. */
const READ_MS = 7_000;
/** A server that accepts connections and does not answer counts as down. */
const ANSWER_MS = 5_000;

const readCounters = defineStatement({
  name: "read_counters",
  row: { name: enumOf(SAMPLE_NAMES), labels: text, value: float8 },
  sql: "select name, labels, value from metric_counters order by name, labels",
});

const askDatabase = defineStatement({ name: "ask_database", row: { one: integer }, sql: "select 1 as one" });

/**
 * Returns everything an operator watches, for all processes (decisions, Health and metrics). A figure that cannot be
 * read is left out, so that the others are still seen. Without the database, `signalbox_database_up` is all there is: the
 * counts of this process alone would look like a reset of the sums.
 */
export async function readMetrics(): Promise<MetricFamily[]> {
  const deadline = performance.now() + READ_MS;
  const answer = readOrLog(DATABASE_UP.name, () => askDatabase.one(db()));
  const isUp = (await Promise.race([answer, sleep(ANSWER_MS, null, { ref: false })])) !== null;
  const families: MetricFamily[] = [
    { ...DATABASE_UP, samples: [{ name: DATABASE_UP.name, labels: {}, value: isUp ? 1 : 0 }] },
  ];
  if (!isUp) return families;
  await flushCounters();
  // One after the other: all at once would take the connections of a whole process.
  for (const gauge of GAUGES) {
    if (performance.now() > deadline) break;
    const family = await readOrLog(gauge.name, () => readGauge(gauge));
    if (family) families.push(family);
  }
  return [...families, ...((await readOrLog("counters", readCounterFamilies)) ?? [])];
}

/** Returns null for what cannot be read at the moment. */
async function readOrLog<T>(metric: string, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    log.warn({ err: error, metric }, "a metric could not be read");
    return null;
  }
}

async function readCounterFamilies(): Promise<MetricFamily[]> {
  const rows = (await readCounters.all(db())).map((row) => ({ ...row, labels: parseLabels(row.labels) }));
  return COUNTER_FAMILIES.map((family) => {
    const counted = rows.filter(({ name }) => name === family.name || isPartOf(name, family));
    return { ...family, samples: [...counted, ...zerosOf(family, counted)] };
  });
}

function isPartOf(name: string, { type, name: family }: MetricDescription): boolean {
  return type === "histogram" && HISTOGRAM_PARTS.some((part) => name === family + part);
}

/** Returns the samples of the known label values that nothing was counted for. */
function zerosOf(family: (typeof COUNTER_FAMILIES)[number], counted: readonly MetricSample[]): MetricSample[] {
  if (!("known" in family)) return [];
  const [label] = family.labels;
  const missing = family.known.filter((value) => counted.every(({ labels }) => labels[label] !== value));
  if (family.type === "counter")
    return missing.map((value) => ({ name: family.name, labels: { [label]: value }, value: 0 }));
  return missing.flatMap((value) => emptySamples(family, value).map(({ by, ...sample }) => ({ ...sample, value: by })));
}

async function readGauge({ statement, given, ...family }: (typeof GAUGES)[number]): Promise<MetricFamily> {
  const rows = await statement.all(db(), given());
  const samples = rows.map(({ value, ...labels }) => {
    return { name: family.name, labels: labels as Record<string, string>, value };
  });
  return { ...family, samples };
}

/** Reads labels as `count` writes them: `status="failed",source="action"`. */
function parseLabels(text: string): Record<string, string> {
  const labels = [...text.matchAll(/(\w+)=("(?:[^"\\]|\\.)*")/g)];
  return Object.fromEntries(labels.map(([, label = "", value = '""']) => [label, JSON.parse(value) as string]));
}
