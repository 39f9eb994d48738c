import { afterAll, describe, expect, test } from "vitest";
import { env } from "#lib/platform/config/env";
import { type Collector, startCollector } from "#lib/platform/telemetry/sdk/collector.fixture";
import { openSdk } from "#lib/platform/telemetry/sdk/open-sdk";
import {
  currentTraceparent,
  logFields,
  noteOnSpan,
  noteRefusal,
  noteRequestId,
  setTelemetry,
  stopTelemetry,
  traceRequest,
} from "#lib/platform/telemetry/telemetry";

const collector: Collector = await startCollector();
process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
// They are in a database, and this test has none.
process.env.OTEL_METRICS_EXPORTER = "none";
afterAll(() => collector.close());

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

function ask(headers: Record<string, string>): Request {
  return new Request("http://localhost/webhooks/secret-part", { method: "POST", headers });
}

/** Answers in a span, and returns what the collector received. */
async function received(request: Request, answer: () => Response, sampler = {}) {
  collector.spans.length = 0;
  setTelemetry(openSdk("web", { ...env(), ...sampler }));
  await traceRequest(request, "/webhooks/:id", async () => answer()).catch(() => {});
  await stopTelemetry();
  return collector.spans;
}

describe("the span of a request (decisions, Traces)", () => {
  test("continues the trace of the caller, and names the route but not the path", async () => {
    const [span, ...others] = await received(ask({ traceparent: PARENT, tracestate: "vendor=x" }), () => {
      noteOnSpan({ "signalbox.workspace.id": "w-1" });
      return new Response(null, { status: 202 });
    });
    expect(others).toEqual([]);
    expect(span).toMatchObject({
      name: "POST /webhooks/:id",
      kind: 2,
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      parentSpanId: "00f067aa0ba902b7",
      traceState: "vendor=x",
      error: null,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/webhooks/:id",
        "http.response.status_code": 202,
        "signalbox.workspace.id": "w-1",
      },
    });
    expect(JSON.stringify(span)).not.toContain("secret-part");
  });

  test("starts a trace if the header is missing or invalid", async () => {
    for (const traceparent of ["", "00-0-0-00"]) {
      const [span] = await received(ask({ traceparent }), () => new Response());
      expect(span).toMatchObject({ parentSpanId: "", traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    }
  });

  test("has the code of a refusal, and is an error only if the server failed", async () => {
    const refuse = (status: number, code: string) => () => {
      noteRefusal(code);
      return new Response(null, { status });
    };
    const [refused] = await received(ask({}), refuse(404, "NOT_FOUND"));
    expect(refused).toMatchObject({ error: null, attributes: { "signalbox.error.code": "NOT_FOUND" } });
    const [failed] = await received(ask({}), refuse(500, "INTERNAL_ERROR"));
    expect(failed).toMatchObject({ error: "INTERNAL_ERROR", attributes: { "error.type": "INTERNAL_ERROR" } });
  });

  test("is what runs and log lines of the request belong to", async () => {
    let seen: { traceparent?: string | undefined; fields?: object } = {};
    const [span] = await received(ask({ traceparent: PARENT }), () => {
      noteRequestId("request-1");
      seen = { traceparent: currentTraceparent(), fields: logFields() };
      return new Response();
    });
    expect(seen).toEqual({
      traceparent: `00-${span?.traceId}-${span?.spanId}-01`,
      fields: { trace_id: span?.traceId, span_id: span?.spanId, request_id: "request-1" },
    });
    expect([currentTraceparent(), logFields()]).toEqual([undefined, {}]);
  });

  test("follows the sampler of the settings", async () => {
    const unsampled = PARENT.replace(/01$/, "00");
    expect(await received(ask({ traceparent: unsampled }), () => new Response())).toEqual([]);
    const never = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: 0 };
    expect(await received(ask({}), () => new Response(), never)).toEqual([]);
    expect(await received(ask({ traceparent: PARENT }), () => new Response(), never)).toHaveLength(1);
  });
});
