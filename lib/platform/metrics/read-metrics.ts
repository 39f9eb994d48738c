import { enumOf, float8, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { COUNTER_FAMILIES, HISTOGRAM_PARTS, SAMPLE_NAMES } from "#lib/platform/metrics/counter-families";
import { flushCounters } from "#lib/platform/metrics/counters";
import { GAUGES } from "#lib/platform/metrics/gauges";
import type { MetricDescription, MetricFamily } from "#lib/platform/metrics/metric-family";

/** Every metric: the one list that `/metrics`, the exports over OTLP and the checks of the dashboard share. */
export const METRICS: readonly MetricDescription[] = [...GAUGES, ...COUNTER_FAMILIES];

const readCounters = defineStatement({
  name: "read_counters",
  row: { name: enumOf(SAMPLE_NAMES), labels: text, value: float8 },
  sql: "select name, labels, value from metric_counters order by name, labels",
});

/** Returns everything an operator watches, for all processes (decisions, Health and metrics). */
export async function readMetrics(): Promise<MetricFamily[]> {
  await flushCounters();
  const gauges: MetricFamily[] = [];
  // One after the other: all at once would take the connections of a whole process.
  for (const gauge of GAUGES) gauges.push(await readGauge(gauge));
  const rows = (await readCounters.all(db())).map((row) => ({ ...row, labels: parseLabels(row.labels) }));
  const counters = COUNTER_FAMILIES.map((family) => ({
    ...family,
    samples: rows.filter(({ name }) => name === family.name || isPartOf(name, family)),
  }));
  return [...gauges, ...counters];
}

function isPartOf(name: string, { type, name: family }: MetricDescription): boolean {
  return type === "histogram" && HISTOGRAM_PARTS.some((part) => name === family + part);
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
