import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  detectResources,
  envDetector,
  hostDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { Env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { openMetrics } from "#lib/platform/telemetry/sdk/open-metrics";
import { toReadableSpan } from "#lib/platform/telemetry/sdk/readable-span";
import type { Telemetry, TracedWork } from "#lib/platform/telemetry/telemetry";
import type { TraceContext } from "#lib/support/trace-context";

/** A flush exports the whole queue at once, and the exporter refuses what exceeds 30 exports. */
const EXPORTS_AT_ONCE = 24;

/**
 * Starts the exports over OTLP. The exporters read their own variables (OTEL_EXPORTER_OTLP_*: endpoints, headers, time
 * limits, compression, certificates), and the resource reads OTEL_RESOURCE_ATTRIBUTES; `env()` reads all others.
 */
export function openSdk(process: "web" | "worker", settings: Env): Telemetry {
  diag.setLogger(
    {
      error: (text) => log.warn({ detail: text.slice(0, 500) }, "telemetry: an export failed"),
      warn: (text) => log.warn({ detail: text.slice(0, 500) }, "telemetry"),
      info: () => {},
      debug: () => {},
      verbose: () => {},
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = describeProcess(process, settings);
  const maxQueueSize = settings.OTEL_BSP_MAX_QUEUE_SIZE;
  const leastBatchSize = Math.ceil(maxQueueSize / EXPORTS_AT_ONCE);
  const spans = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    maxQueueSize,
    maxExportBatchSize: Math.min(Math.max(settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, leastBatchSize), maxQueueSize),
    scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
  });
  const sampler = createSampler(settings);
  // Any process can read the metrics of all; the web processes do, as for /metrics.
  const metrics = process === "web" ? openMetrics(resource, settings) : null;
  let added = 0;
  return {
    work: new AsyncLocalStorage<TracedWork>(),
    isSampled: (traceId, parent) =>
      sampler.shouldSample(contextOf(parent), traceId, "", SpanKind.INTERNAL, {}, []).decision ===
      SamplingDecision.RECORD_AND_SAMPLED,
    add: (span) => {
      added += 1;
      spans.onEnd(toReadableSpan(span, resource));
    },
    keepUp: () => {
      // Half of the queue is left for the requests and calls that cannot wait.
      if (added < maxQueueSize / 2) return null;
      added = 0;
      return spans.forceFlush().catch(reportFailure);
    },
    stop: async () => {
      await Promise.all([spans.shutdown().catch(reportFailure), metrics?.shutdown().catch(reportFailure)]);
    },
  };
}

/** The spans of a failed export are lost. Whatever waits for the flush continues with the next ones. */
function reportFailure(error: unknown): void {
  log.warn({ err: error }, "telemetry: an export failed");
}

function describeProcess(process: "web" | "worker", { OTEL_SERVICE_NAME }: Env): Resource {
  const detected = detectResources({ detectors: [hostDetector, serviceInstanceIdDetector, envDetector] });
  return resourceFromAttributes({ "service.name": "signalbox", "signalbox.process": process })
    .merge(detected)
    .merge(resourceFromAttributes(OTEL_SERVICE_NAME ? { "service.name": OTEL_SERVICE_NAME } : {}));
}

/** Returns a context in which the parent is a span of another process. */
function contextOf(parent: TraceContext | null): Context {
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true });
}

/** Creates the sampler that the settings name, with the meanings of the OpenTelemetry specification. */
export function createSampler({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: SamplerSettings): Sampler {
  const [, own] = /^parentbased_(.*)$/.exec(OTEL_TRACES_SAMPLER) ?? [];
  const root = rootSampler(own ?? OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG);
  return own === undefined ? root : new ParentBasedSampler({ root });
}

type SamplerSettings = Pick<Env, "OTEL_TRACES_SAMPLER" | "OTEL_TRACES_SAMPLER_ARG">;

function rootSampler(name: string, ratio: number): Sampler {
  if (name === "traceidratio") return new TraceIdRatioBasedSampler(ratio);
  return name === "always_off" ? new AlwaysOffSampler() : new AlwaysOnSampler();
}
