import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { node, type SeededWorkflow, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { endTraces, exportTraces } from "#lib/domain/runs/traces/export-traces";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { flushCounters } from "#lib/platform/metrics/counters";
import { type Collector, startCollector } from "#lib/platform/telemetry/sdk/collector.fixture";
import { openSdk } from "#lib/platform/telemetry/sdk/open-sdk";
import { setTelemetry, type Telemetry, telemetry } from "#lib/platform/telemetry/telemetry";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();
const collector: Collector = await startCollector();
process.env.OTEL_METRICS_EXPORTER = "none";
afterAll(() => collector.close());
afterEach(() => vi.unstubAllEnvs());

let workflow: SeededWorkflow;
beforeEach(async () => {
  workflow = await seedWorkflow(db(), { nodes: [node("in", "action_input")], edges: [] });
  collector.spans.length = 0;
  await flushCounters();
  await db().query("truncate metric_counters");
  traceTo(collector.url);
});

function traceTo(url: string, settings = {}): void {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = url;
  setTelemetry(openSdk("worker", { ...env(), OTEL_BSP_SCHEDULE_DELAY: 50, ...settings }));
}

/** Adds a run that has ended, whose steps are one row of the journal each. */
async function addEndedRun(steps = 1): Promise<string> {
  const runId = await seedRun(db(), workflow, { isQueued: false });
  await db().query(
    `insert into execution_events (run_id, workspace_id, node_id, iteration, kind, duration_ms, input_data)
     select $1, $2, 'in', i::text, 'step_completed', 1, '{}' from generate_series(1, $3) i`,
    [runId, workflow.workspaceId, steps],
  );
  await db().query("update runs set status = 'succeeded', started_at = now(), completed_at = now() where id = $1", [
    runId,
  ]);
  return runId;
}

/** Waits until the collector has this number of spans, and checks that it has each of them once. */
async function received(spans: number): Promise<void> {
  await eventually(() => expect(collector.spans.length).toBeGreaterThanOrEqual(spans));
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(spans);
}

const spansOf = (runId: string) => collector.spans.filter(({ attributes }) => attributes["signalbox.run.id"] === runId);

async function dropped(): Promise<Record<string, number>> {
  await flushCounters();
  const { rows } = await db().query(
    "select labels, value from metric_counters where name = 'signalbox_traces_dropped_total'",
  );
  return Object.fromEntries(rows.map(({ labels, value }) => [labels, value]));
}

/** Starts a server that reads no export: it answers each one with the status, or not at all. */
async function startRefusing(status: number | null) {
  const refusing = { url: "", exports: 0, close: () => {} };
  const server: Server = createServer((incoming, response) => {
    refusing.exports += 1;
    incoming.resume();
    if (status !== null) response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  refusing.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  refusing.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return refusing;
}

/**
 * Returns the most spans that are added in one turn of the event loop until `isOver`. On the clock of the process, each
 * span takes a millisecond: how many fit into a turn must not depend on how busy the machine is.
 */
async function mostSpansInTurn(isOver: () => boolean): Promise<number> {
  const tracing = telemetry() as Telemetry;
  const { add } = tracing;
  let [spans, most] = [0, 0];
  const clock = vi.spyOn(performance, "now").mockImplementation(() => spans);
  vi.spyOn(tracing, "add").mockImplementation((span) => {
    spans += 1;
    add(span);
  });
  while (!isOver()) {
    const before = spans;
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, spans - before);
  }
  clock.mockRestore();
  return most;
}

describe("the traces of long runs (decisions, Traces)", () => {
  test("have 10,000 spans of steps, say how many are left out, and leave turns to other work", async () => {
    const long = await addEndedRun(20_000);
    const short = await addEndedRun(3);
    const deaf = await startRefusing(200);
    traceTo(deaf.url);
    exportTraces([long]);
    // Spans get 15 ms of a turn.
    expect(await mostSpansInTurn(() => deaf.exports > 10_002 / 512)).toBe(15);
    await endTraces();
    deaf.close();

    traceTo(collector.url);
    exportTraces([short, long, await addEndedRun(3)]);
    await received(10_002 + 2 * 8);
    await endTraces();
    expect(spansOf(long)).toHaveLength(10_002);
    const named = spansOf(long).find(({ name }) => name === "run");
    expect(named?.attributes["signalbox.run.spans_left_out"]).toBe(30_000);
    expect(spansOf(short)).toHaveLength(8);
    expect(spansOf(short)[0]?.attributes).not.toHaveProperty("signalbox.run.spans_left_out");
  });

  test("are read in pages that continue where the last one ended", async () => {
    const runIds = await Promise.all([1_999, 1, 2_000, 2_001, 0, 5].map(addEndedRun));
    exportTraces(runIds);
    await received(12_024);
    await endTraces();
    expect(runIds.map((runId) => spansOf(runId).length)).toEqual([4_000, 4, 4_002, 4_004, 2, 12]);
  });
});

describe("a trace that cannot be exported", () => {
  test("does not take the rest of its batch with it", async () => {
    const runIds = [await addEndedRun(), await addEndedRun(), await addEndedRun()];
    const spans = vi.spyOn(telemetry() as Telemetry, "add").mockImplementationOnce(() => {
      throw new Error("a span that cannot be made");
    });
    exportTraces(runIds);
    await received(8);
    await endTraces();
    expect(spans).toHaveBeenCalledTimes(9);
    expect(runIds.map((runId) => spansOf(runId).length).toSorted()).toEqual([0, 4, 4]);
    expect(await dropped()).toEqual({ 'reason="error"': 1 });
  });

  test("does not stop the next ones: failed exports lose only their own spans", async () => {
    const refusing = await startRefusing(400);
    traceTo(refusing.url, { OTEL_BSP_MAX_QUEUE_SIZE: 8 });
    exportTraces([await addEndedRun(20), await addEndedRun(20)]);
    await eventually(() => expect(refusing.exports).toBeGreaterThan(20));
    await endTraces();
    expect(await dropped()).toEqual({});
    refusing.close();
  });

  test("is exported with the smallest batches, too", async () => {
    traceTo(collector.url, { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 1 });
    const runId = await addEndedRun(4_500);
    exportTraces([runId]);
    await received(9_002);
    await endTraces();
  });

  test("is counted if 10,000 others wait", async () => {
    const runId = await addEndedRun();
    exportTraces(Array.from({ length: 10_003 }, () => runId));
    expect(await dropped()).toEqual({ 'reason="backlog"': 3 });
    await endTraces();
  });
});

describe("the end of a process", () => {
  test("does not fail if the last export does", async () => {
    const refusing = await startRefusing(400);
    traceTo(refusing.url);
    exportTraces([await addEndedRun()]);
    await endTraces();
    expect(refusing.exports).toBe(1);
    refusing.close();
  });

  test("exports the runs that another copy of the module gathered", async () => {
    const runId = await addEndedRun();
    vi.resetModules();
    const copy = await import("#lib/domain/runs/traces/export-traces");
    expect(copy.exportTraces).not.toBe(exportTraces);
    copy.exportTraces([runId]);
    await endTraces();
    expect(spansOf(runId)).toHaveLength(4);
    await (await import("#lib/platform/db/pool")).closeDb();
  });

  test("waits 3 s at most for a collector that does not answer, and counts what is left", async () => {
    // Far longer than the limit below, which is far longer than 3 s: the machine may be busy.
    vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "60000");
    const silent = await startRefusing(null);
    traceTo(silent.url, { OTEL_BSP_MAX_QUEUE_SIZE: 8 });
    exportTraces([await addEndedRun(20), await addEndedRun()]);
    const started = performance.now();
    await endTraces();
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(await dropped()).toEqual({ 'reason="stop"': 2 });
    silent.close();
  });
});
