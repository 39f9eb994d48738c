import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { request } from "#lib/api/webhooks/webhook.fixture";
import { listDeliveries } from "#lib/domain/triggers/deliveries/list-deliveries";
import { redeliverEvent } from "#lib/domain/triggers/deliveries/redeliver-event";
import { addTrigger, runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { type Collector, startCollector } from "#lib/platform/telemetry/sdk/collector.fixture";
import { openSdk } from "#lib/platform/telemetry/sdk/open-sdk";
import { setTelemetry, stopTelemetry, traceRequest } from "#lib/platform/telemetry/telemetry";

await openTestDatabase();
const collector: Collector = await startCollector();
Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRICS_EXPORTER: "none" });
afterAll(() => collector.close());

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

let trigger: TestTrigger;
const workspace = await addWorkspace();
beforeEach(async () => {
  collector.spans.length = 0;
  setTelemetry(openSdk("web", env()));
  trigger = await addTrigger(workspace, { kind: "webhook" });
});

const deliver = (headers: Record<string, string>) =>
  request("POST", `/webhooks/${trigger.subscriptionId}`, { headers, body: "{}" });

describe("the run of a webhook (decisions, Traces)", () => {
  test("belongs to the span of the request, which continues the sender's trace", async () => {
    expect((await deliver({ traceparent: TRACEPARENT })).status).toBe(202);
    await stopTelemetry();
    const [span] = collector.spans;
    const [run] = await runsOf(trigger);
    expect(run.traceparent).toBe(`00-${TRACE_ID}-${span?.spanId}-01`);
    expect(span).toMatchObject({
      name: "POST /webhooks/:id",
      parentSpanId: "00f067aa0ba902b7",
      attributes: { "signalbox.workspace.id": workspace.workspaceId, "signalbox.run.id": run.id },
    });
  });

  test("belongs to the request that delivers the event again", async () => {
    await deliver({ traceparent: TRACEPARENT });
    const { data } = await listDeliveries(workspace.workspaceId, trigger.workflowId, { limit: 1 });
    await traceRequest(new Request("http://localhost/"), "/", async () =>
      Response.json(await redeliverEvent(workspace.workspaceId, data[0]?.delivery_id ?? "")),
    );
    await stopTelemetry();
    const span = collector.spans.find(({ name }) => name === "GET /");
    expect((await runsOf(trigger)).at(-1)?.traceparent).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
    expect(span?.traceId).not.toBe(TRACE_ID);
  });
});
