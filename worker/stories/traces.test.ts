import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatCompletion, startProvider } from "#lib/connectors/llm/provider.fixture";
import type { Definition } from "#lib/contract/workflow/graph";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { type ReceivedSpan, startCollector } from "#lib/platform/telemetry/sdk/collector.fixture";
import { openSdk } from "#lib/platform/telemetry/sdk/open-sdk";
import { setTelemetry, stopTelemetry } from "#lib/platform/telemetry/telemetry";
import { readReceivedSpans, readWantedSpans } from "#worker/stories/compare-traces.fixture";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";
import { startTestWorker, until } from "#worker/supervise/worker-process.fixture";

/** The number of runs. `TRACED_RUNS=1000 npm test -- unit worker/stories/traces.test.ts` compares 1,000 runs. */
const RUNS = Number(process.env.TRACED_RUNS || 50);
/** The address of an intermediate collector, which exports to port 4319 (scripts/collector). */
const BETWEEN = process.env.TRACES_COLLECTOR || null;
const KEY = "sk-canary-1a2b3c4d5e6f";
const SECRET_TEXT = "canary@example.com";

const collector = await startCollector(BETWEEN === null ? 0 : 4_319);
Object.assign(process.env, {
  OTEL_EXPORTER_OTLP_ENDPOINT: BETWEEN ?? collector.url,
  OTEL_BSP_SCHEDULE_DELAY: "50",
  OTEL_METRICS_EXPORTER: "none",
  OTEL_SERVICE_NAME: "signalbox-test",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=acme",
  OUTBOUND_ALLOW: "127.0.0.1",
  RUNS_PER_USER_PER_HOUR: "0",
});
const stage = useRunStage();

/** Refuses the first attempt of each step: its key changes once it was answered. */
async function startFlakyServer() {
  const server = createServer((incoming, response) => {
    const isSecond = String(incoming.headers["idempotency-key"]).endsWith(":r1");
    incoming.resume();
    response.writeHead(isSecond ? 200 : 500, { "content-type": "text/plain" }).end(SECRET_TEXT);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

const provider = await startProvider(KEY);
const flakyServers: Awaited<ReturnType<typeof startFlakyServer>>[] = [];
let shapes: (Definition | (() => Promise<Definition>))[];
beforeAll(async () => {
  // The test itself cancels runs, like a web process.
  setTelemetry(openSdk("web", env()));
  shapes = await buildShapes();
});
afterAll(async () => {
  await stopTelemetry();
  provider.close();
  for (const flaky of flakyServers) flaky.close();
  collector.close();
});

/** The fifth failure in a row would open the circuit of a server for a minute, so a server serves four runs. */
const RUNS_PER_FLAKY_SERVER = 4;
let flakyRuns = 0;

async function buildFlaky(): Promise<Definition> {
  if (flakyRuns % RUNS_PER_FLAKY_SERVER === 0) flakyServers.push(await startFlakyServer());
  flakyRuns += 1;
  const params = { method: "POST", url: flakyServers.at(-1)?.url };
  const retries = { maxRetries: 1, retryBackoff: "fixed", retryWaitSeconds: 1 };
  const flaky = node("flaky", "connector", { connector: "http", operation: "request", params, ...retries });
  return between([flaky], "in>flaky>out");
}

async function buildShape(index: number): Promise<Definition> {
  const shape = shapes[index % shapes.length] as (typeof shapes)[number];
  return typeof shape === "function" ? shape() : shape;
}

const result = node("out", "return_output", { properties: [{ name: "x", type: "string", value: "{{in.name}}" }] });

async function buildShapes(): Promise<typeof shapes> {
  const connectionId = await stage.connect("openai", "api_key", { base_url: `${provider.url}/v1`, api_key: KEY });
  const child = await stage.addAction({ definition: between([result], "in>out"), approvalPolicy: "never" });
  stage.server.answer("/refused", { problem: SECRET_TEXT }, 422);
  const loop = node("each", "loop", { items: ["a", "b", "c"], result: "{{send.status}}" });
  return [
    between([result], "in>out"),
    between([loop, { ...stage.call("send"), parentId: "each" }], "in>each>out"),
    buildFlaky,
    between([stage.call("refused", { continueOnFailure: true })], "in>refused>out"),
    between([node("sub", "sub_workflow", { action_slug: child.slug, input: { name: "Ada" } })], "in>sub>out"),
    between([node("ask", "llm", { connection_id: connectionId, model: "model-a", prompt: SECRET_TEXT })], "in>ask>out"),
  ];
}

const statusOf = async ({ runId }: RunReference): Promise<string> =>
  (await db().query("select status from runs where id = $1", [runId])).rows[0].status;
const traceOf = (run: RunReference) =>
  collector.spans.filter(({ attributes }) => attributes["signalbox.run.id"] === run.runId);
const received = (run: RunReference, name: string) =>
  until(`the span ${name}`, () => traceOf(run).find((span) => span.name.startsWith(name)));
const parentOf = (span: ReceivedSpan) => collector.spans.find(({ spanId }) => spanId === span.parentSpanId);

describe("the traces of runs (decisions, Traces)", () => {
  it(`equal their journals: ${RUNS} runs`, { timeout: 600_000 + RUNS * 500 }, async () => {
    const started: RunReference[] = [];
    for (let index = 0; index < RUNS; index += 1) {
      started.push(await stage.startDefinition(await buildShape(index)));
    }
    await until(
      "all runs to end",
      async () => (await db().query("select 1 from runs where completed_at is null")).rows.length === 0,
      250_000 + RUNS * 500,
    );
    const { rows } = await db().query("select id from runs");
    const ids = rows.map(({ id }) => id as string);
    const wanted = await readWantedSpans(ids);
    await until("all spans", () => readReceivedSpans(collector.spans, ids).length >= wanted.length);
    expect(readReceivedSpans(collector.spans, ids)).toEqual(wanted);
    expect(ids.length).toBeGreaterThanOrEqual(RUNS);
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(collector.spans.length);
    const text = JSON.stringify(collector.spans);
    for (const secret of [SECRET_TEXT, KEY, "Ada"]) expect(text).not.toContain(secret);
  });

  it("name the service, and carry the headers of the settings", async () => {
    // An intermediate collector sends its own headers.
    expect(collector.headers[0]).toMatchObject(BETWEEN === null ? { "x-tenant": "acme" } : {});
    expect(collector.spans[0]?.resource).toMatchObject({
      "service.name": "signalbox-test",
      "deployment.environment.name": "test",
    });
  });

  it("show steps without side effects, whose start and end are one row of the journal", async () => {
    const run = await stage.startDefinition(await buildShape(0));
    await received(run, "run");
    const steps = traceOf(run).filter(({ name }) => name.startsWith("step "));
    expect(steps.map(({ name }) => name).toSorted()).toEqual(["step in", "step out"]);
    const { rows } = await db().query("select kind from journal_events($1)", [run.runId]);
    expect(rows.map(({ kind }) => kind)).toEqual(["step_completed", "step_completed"]);
  });

  it("show the model and the tokens of an LLM step below its attempt", async () => {
    provider.answers.push(chatCompletion("Hello"));
    const run = await stage.startDefinition(await buildShape(5));
    const call = await received(run, "chat model-a");
    await received(run, "run");
    expect(call.attributes).toMatchObject({
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "model-a",
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 3,
      "http.response.status_code": 200,
      "server.address": "127.0.0.1",
    });
    expect(parentOf(call)).toMatchObject({ name: "attempt" });
    const request = provider.requests.at(-1);
    expect(request?.headers.traceparent).toBe(`00-${call.traceId}-${call.spanId}-01`);
  });

  it("continue after the loss of a worker, and show the attempt that was lost", async () => {
    stage.server.hold("/slow");
    const run = await stage.start([stage.call("slow")], "in>slow>out");
    await stage.called("/slow");
    await stage.replaceWorker();
    await until("the call again", () => stage.server.of("/slow")[1]);
    stage.server.release("/slow");
    await stage.reaches(run, "succeeded");
    await received(run, "run");
    const wanted = await readWantedSpans([run.runId]);
    expect(readReceivedSpans(collector.spans, [run.runId])).toEqual(wanted);
    const attempts = traceOf(run).filter(
      ({ name, attributes }) => name === "attempt" && attributes["signalbox.step.id"] === "slow",
    );
    expect(attempts.map(({ error }) => error)).toEqual(["worker_lost", null]);
    expect(new Set(traceOf(run).map(({ traceId }) => traceId)).size).toBe(1);
  });

  it("include the wait of a gate, and the end of a run that was cancelled at one", async () => {
    const gate = node("gate", "approval", { name: "Check", message: "Go?" });
    const graph = between([gate], "in>gate>out");
    const approved = await stage.startDefinition(graph);
    const cancelled = await stage.startDefinition(graph);
    for (const run of [approved, cancelled]) await stage.reaches(run, "waiting_for_approval");
    await stage.parks(approved);
    await stage.decide(approved);
    await stage.reaches(approved, "succeeded");
    await stage.cancel(cancelled);
    for (const run of [approved, cancelled]) {
      await received(run, "run");
      const wanted = await readWantedSpans([run.runId]);
      expect(readReceivedSpans(collector.spans, [run.runId])).toEqual(wanted);
    }
    expect(await statusOf(cancelled)).toBe("cancelled");
    expect(traceOf(cancelled).find(({ name }) => name === "step gate")?.attributes).toMatchObject({
      "signalbox.step.status": "cancelled",
      "signalbox.step.kind": "approval",
    });
  });

  it("of a collector that is down do not delay a worker that stops, nor count as steps that do not end", async () => {
    const leaving = await startTestWorker({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
      OTEL_BSP_MAX_QUEUE_SIZE: "8",
      // Less than the 3 s that the end of the traces may take.
      WORKER_DRAIN_SECONDS: "2",
    });
    stage.worker.child.kill("SIGTERM");
    await stage.worker.exited;
    const run = await stage.startDefinition(await buildShape(1));
    await stage.reaches(run, "succeeded");
    // The exit may be reported before the last lines of the log.
    const logEnd = once(leaving.child, "close");
    const startedMs = performance.now();
    leaving.child.kill("SIGTERM");
    expect(await leaving.exited).toBe("code 0");
    // 3 s, and a busy machine. Until the traces were given up, it took the time to finish running steps.
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    await logEnd;
    // On a busy machine, the worker may need more than 2 s to end the run. Only what follows counts here.
    const [, signOff] = leaving.output().split("the worker holds no more runs");
    expect(signOff).toContain("the process ends before the traces of some runs are exported");
    expect(signOff).not.toContain("running steps did not finish in time");
    const { rows } = await db().query(
      "select labels, value from metric_counters where name = 'signalbox_traces_dropped_total'",
    );
    expect(rows).toEqual([{ labels: 'reason="stop"', value: 1 }]);
  });
});
