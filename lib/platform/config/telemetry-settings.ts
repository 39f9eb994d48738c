import { z } from "zod";
import { numeric } from "#lib/support/numbers/numeric";

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const wholeNumber = z
  .string()
  .regex(/^\d+$/, "must be a whole number")
  .transform(Number)
  .refine(Number.isSafeInteger, "is too large");
const positive = wholeNumber.refine((value) => value > 0, "must be above 0");
const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));

/** The standard settings of OpenTelemetry that the product reads, with their standard meanings. */
export const telemetrySettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: address
    .optional()
    .describe(
      "Address of a collector for traces and metrics over OTLP: `http://collector:4318`. Without it, nothing is exported. The exporter also reads the other standard variables, such as `OTEL_EXPORTER_OTLP_HEADERS`.",
    ),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal("http/protobuf", "must be http/protobuf, the only protocol that Signalbox supports")
    .default("http/protobuf")
    .describe("Protocol of the exports."),
  OTEL_SERVICE_NAME: z
    .string()
    .default("signalbox")
    .describe("Name of the service in traces and metrics. `OTEL_RESOURCE_ATTRIBUTES` adds other attributes."),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .default("parentbased_always_on")
    .describe(`Which traces are recorded: ${SAMPLERS.map((name) => `\`${name}\``).join(", ")}.`),
  OTEL_TRACES_SAMPLER_ARG: numeric(z.number().min(0).max(1))
    .default(1)
    .describe("Part of the traces that the samplers with `ratio` record: 0.1 is every tenth."),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber.default(5_000).describe("Milliseconds between two exports of spans."),
  OTEL_BSP_MAX_QUEUE_SIZE: positive
    .default(8_192)
    .describe("Spans that wait for an export, at most. Further spans of requests and calls are dropped."),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: positive
    .default(512)
    .describe("Spans in one export, at most. The smallest size is a 24th of `OTEL_BSP_MAX_QUEUE_SIZE`."),
  OTEL_METRICS_EXPORTER: z
    .enum(["otlp", "none"])
    .default("otlp")
    .describe("Whether the web processes export the metrics of `/metrics` over OTLP, too: `otlp` or `none`."),
  OTEL_METRIC_EXPORT_INTERVAL: positive.default(60_000).describe("Milliseconds between two exports of metrics."),
  OTEL_METRIC_EXPORT_TIMEOUT: positive
    .default(30_000)
    .describe("Milliseconds that one export of metrics may take. The interval is the upper limit."),
});
