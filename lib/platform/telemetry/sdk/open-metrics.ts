import { type HrTime, ValueType } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import type { Env } from "#lib/platform/config/env";
import type { MetricFamily, MetricSample } from "#lib/platform/metrics/metric-family";
import { readMetrics } from "#lib/platform/metrics/read-metrics";
import { TELEMETRY_SCOPE, toHrTime } from "#lib/platform/telemetry/sdk/readable-span";

/** OTLP's word for unknown: the counters are in the database and outlive every process. */
const UNKNOWN_START: HrTime = [0, 0];

/** Exports what `/metrics` shows over OTLP, from now on. Returns null if the settings export no metrics. */
export function openMetrics(resource: Resource, settings: Env): MeterProvider | null {
  if (settings.OTEL_METRICS_EXPORTER === "none") return null;
  const interval = settings.OTEL_METRIC_EXPORT_INTERVAL;
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(settings.OTEL_METRIC_EXPORT_TIMEOUT, interval),
    metricProducers: [produceMetrics(resource)],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

function produceMetrics(resource: Resource): MetricProducer {
  return {
    collect: async () => {
      try {
        const families = await readMetrics();
        const metrics = families.map((family) => toMetricData(family, toHrTime(Date.now())));
        return { resourceMetrics: { resource, scopeMetrics: [{ scope: TELEMETRY_SCOPE, metrics }] }, errors: [] };
      } catch (error) {
        return { resourceMetrics: { resource, scopeMetrics: [] }, errors: [error] };
      }
    },
  };
}

/** Keeps the names of `/metrics`, so that the same dashboards and alerts work with both. */
function toMetricData({ name, type, help, samples }: MetricFamily, endTime: HrTime): MetricData {
  const unit = name.endsWith("_seconds") ? "s" : "";
  const common = {
    descriptor: { name, description: help, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === "histogram") {
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(samples, endTime) };
  }
  const dataPoints = samples.map(({ labels, value }) => {
    return { startTime: UNKNOWN_START, endTime, attributes: labels, value };
  });
  return type === "gauge"
    ? { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
    : { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
}

/** Prometheus counts what is at most as long as each bound; OTLP counts what is between two bounds. */
function toHistograms(samples: readonly MetricSample[], endTime: HrTime): HistogramMetricData["dataPoints"] {
  const byLabels = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  return [...byLabels].map(([labels, parts]) => {
    const partOf = (suffix: string) => parts.find(({ name }) => name.endsWith(suffix))?.value ?? 0;
    const buckets = parts
      .filter(({ name }) => name.endsWith("_bucket"))
      .map((bucket) => ({ bound: Number((bucket.labels.le ?? "").replace("+Inf", "Infinity")), upTo: bucket.value }))
      .toSorted((left, right) => left.bound - right.bound);
    return {
      startTime: UNKNOWN_START,
      endTime,
      attributes: JSON.parse(labels) as Record<string, string>,
      value: {
        buckets: {
          boundaries: buckets.slice(0, -1).map(({ bound }) => bound),
          counts: buckets.map(({ upTo }, index) => upTo - (buckets[index - 1]?.upTo ?? 0)),
        },
        count: partOf("_count"),
        sum: partOf("_sum"),
      },
    };
  });
}
