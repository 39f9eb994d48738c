import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import protocol from "otlp-proto/build/src/generated/root.js";

/** A span that the collector received. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  traceState: string;
  name: string;
  kind: number;
  /** Milliseconds since 1970. */
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
  /** The message of the status. Null if the status is not an error. */
  error: string | null;
  links: { traceId: string; spanId: string }[];
  resource: Record<string, unknown>;
}

/** A metric's data point that the collector received. */
export interface ReceivedPoint {
  metric: string;
  type: "gauge" | "sum" | "histogram";
  isMonotonic: boolean;
  attributes: Record<string, unknown>;
  /** The value of a gauge or a sum. */
  value: number;
  /**
   * The values of a histogram. Each count is for the range between two bounds, and the last one for all values above
   * the bounds.
   */
  histogram: { bounds: number[]; counts: number[]; sum: number; count: number } | null;
}

interface Decoder {
  decode(bytes: Uint8Array): unknown;
}

/** The part of the generated code that the receiver needs. The code's own types describe another module format. */
interface Protocol {
  opentelemetry: {
    proto: {
      collector: {
        trace: { v1: { ExportTraceServiceRequest: Decoder } };
        metrics: { v1: { ExportMetricsServiceRequest: Decoder } };
      };
    };
  };
}

export interface Collector {
  url: string;
  spans: ReceivedSpan[];
  points: ReceivedPoint[];
  headers: Record<string, unknown>[];
  close(): void;
}

/**
 * For tests: starts a receiver of OTLP over HTTP. It decodes exports with the code that protobufjs generated from
 * OTLP's published definitions, which is not the code that encoded them.
 * @param port 0 for any free port
 */
export async function startCollector(port = 0): Promise<Collector> {
  const collector: Collector = { url: "", spans: [], points: [], headers: [], close: () => {} };
  const { trace, metrics } = (protocol as unknown as Protocol).opentelemetry.proto.collector;
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const raw = Buffer.concat(parts);
    const body = incoming.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
    collector.headers.push(incoming.headers);
    if (incoming.headers["content-type"] !== "application/x-protobuf") return void response.writeHead(415).end();
    if (incoming.url === "/v1/traces") {
      collector.spans.push(...readSpans(trace.v1.ExportTraceServiceRequest.decode(body)));
    } else if (incoming.url === "/v1/metrics") {
      collector.points.push(...readPoints(metrics.v1.ExportMetricsServiceRequest.decode(body)));
    } else return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  collector.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return collector;
}

/** A decoded protobufjs message, whose fields are read by name. */
type Decoded = { [name: string]: Decoded } & Decoded[] & { toString(): string };

function readSpans(request: unknown): ReceivedSpan[] {
  return (request as Decoded).resourceSpans?.flatMap(({ resource, scopeSpans }) =>
    list(scopeSpans).flatMap(({ spans }) =>
      list(spans).map((span) => ({
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        traceState: String(span.traceState ?? ""),
        name: String(span.name),
        kind: Number(span.kind),
        startMs: millis(span.startTimeUnixNano),
        endMs: millis(span.endTimeUnixNano),
        attributes: readAttributes(span.attributes),
        error: Number(span.status?.code ?? 0) === 2 ? String(span.status?.message) : null,
        links: list(span.links).map((link) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
        resource: readAttributes(resource?.attributes),
      })),
    ),
  ) as ReceivedSpan[];
}

function readPoints(request: unknown): ReceivedPoint[] {
  return (request as Decoded).resourceMetrics?.flatMap(({ scopeMetrics }) =>
    list(scopeMetrics).flatMap(({ metrics }) =>
      list(metrics).flatMap(({ name, gauge, sum, histogram }) =>
        list((gauge ?? sum ?? histogram)?.dataPoints).map((point) => ({
          metric: String(name),
          type: gauge ? "gauge" : sum ? "sum" : "histogram",
          isMonotonic: Boolean(sum?.isMonotonic),
          attributes: readAttributes(point.attributes),
          value: Number(point.asDouble ?? point.asInt ?? 0),
          histogram: histogram
            ? {
                bounds: list(point.explicitBounds).map(Number),
                counts: list(point.bucketCounts).map(Number),
                sum: Number(point.sum),
                count: Number(point.count),
              }
            : null,
        })),
      ),
    ),
  ) as ReceivedPoint[];
}

function list(items: Decoded | undefined): Decoded[] {
  return (items ?? []) as Decoded[];
}

function hex(bytes: unknown): string {
  return Buffer.from((bytes ?? []) as Uint8Array).toString("hex");
}

function millis(nanos: unknown): number {
  return Number(BigInt(String(nanos)) / 1_000n) / 1_000;
}

function readAttributes(given: Decoded | undefined): Record<string, unknown> {
  return Object.fromEntries(
    list(given).map(({ key, value }) => {
      const { stringValue, boolValue, intValue, doubleValue } = (value ?? {}) as Decoded;
      if (intValue !== undefined && intValue !== null) return [key, Number(intValue)];
      return [key, stringValue ?? boolValue ?? doubleValue];
    }),
  );
}
