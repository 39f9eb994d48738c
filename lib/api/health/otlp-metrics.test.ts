import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { metricsRoute } from "#lib/api/health/metrics-route";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { count, observeStep } from "#lib/platform/metrics/counters";
import { type Collector, type ReceivedPoint, startCollector } from "#lib/platform/telemetry/sdk/collector.fixture";
import { openSdk } from "#lib/platform/telemetry/sdk/open-sdk";

useTestDatabase();
const collector: Collector = await startCollector();
process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
afterAll(() => collector.close());

beforeEach(() => {
  collector.points.length = 0;
});

const HERE = { "x-signalbox-client-address": "127.0.0.1", "x-signalbox-local-client": "true" };

/** Returns the samples of `/metrics` as they are written there. */
async function scrape(): Promise<string[]> {
  const response = await metricsRoute(new Request("http://localhost/metrics", { headers: HERE }));
  return (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/** Writes a point as Prometheus does. */
function toLines({ metric, attributes, value, histogram }: ReceivedPoint): string[] {
  const labels = Object.entries(attributes).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  const line = (name: string, more: string[], sample: number) => {
    const all = [...labels, ...more].join(",");
    return `${name}${all === "" ? "" : `{${all}}`} ${sample}`;
  };
  if (!histogram) return [line(metric, [], value)];
  let upTo = 0;
  return [
    ...histogram.counts.map((between, index) => {
      upTo += between;
      return line(`${metric}_bucket`, [`le="${histogram.bounds[index] ?? "+Inf"}"`], upTo);
    }),
    line(`${metric}_sum`, [], histogram.sum),
    line(`${metric}_count`, [], histogram.count),
  ];
}

/** Values that change between two reads: ages, and what PostgreSQL itself adds to the size and the connections. */
const CHANGES = /^signalbox_(?:(?:queue_oldest|queue_age|schedule_lag)_seconds|database_bytes|database_connections)\b/;
/** Only the connection that reads is always there. It is active. */
const isOtherConnection = (line: string) => /^signalbox_database_connections\{state="(?!active")/.test(line);
const withoutChange = (line: string) => (CHANGES.test(line) ? line.slice(0, line.lastIndexOf(" ")) : line);
const comparable = (lines: string[]) =>
  lines
    .filter((line) => !isOtherConnection(line))
    .map(withoutChange)
    .toSorted();

describe("metrics over OTLP (decisions, Health and metrics)", () => {
  test("are those of /metrics, with the same names, labels and numbers", async () => {
    const workspace = await addWorkspace();
    await callAction({ workspace, action: await addAction(workspace) });
    count("signalbox_runs_finished_total", { status: "succeeded" }, 3);
    count("signalbox_webhook_rejections_total", { code: 'a "quoted" code' });
    for (const ms of [2, 80, 45_000]) observeStep("step_completed", ms);
    observeStep("step_failed", 30);
    const scraped = await scrape();
    await openSdk("web", env()).stop();
    expect(comparable(collector.points.flatMap(toLines))).toEqual(comparable(scraped));
    expect(scraped.length).toBeGreaterThan(35);
    const typeOf = (name: string) => collector.points.find(({ metric }) => metric === name);
    expect(typeOf("signalbox_workers")).toMatchObject({ type: "gauge" });
    expect(typeOf("signalbox_runs_finished_total")).toMatchObject({ type: "sum", isMonotonic: true });
    expect(typeOf("signalbox_step_duration_seconds")).toMatchObject({ type: "histogram" });
  });

  test("are exported again and again, without waiting for the end of the process", async () => {
    const sdk = openSdk("web", { ...env(), OTEL_METRIC_EXPORT_INTERVAL: 50 });
    const exports = () => collector.points.filter(({ metric }) => metric === "signalbox_workers").length;
    await expect.poll(exports).toBeGreaterThan(2);
    await sdk.stop();
  });

  test("are exported by web processes only, and not if OTEL_METRICS_EXPORTER is none", async () => {
    await openSdk("worker", env()).stop();
    await openSdk("web", { ...env(), OTEL_METRICS_EXPORTER: "none" }).stop();
    expect(collector.points).toEqual([]);
  });

  test("go to the address that the settings name for metrics", async () => {
    const other = await startCollector();
    process.env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT = `${other.url}/v1/metrics`;
    try {
      await openSdk("web", env()).stop();
      expect([collector.points.length, other.points.length > 10]).toEqual([0, true]);
    } finally {
      delete process.env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT;
      other.close();
    }
  });
});
