import { TERMINAL_RUN_STATUSES } from "#lib/contract/run/run";
import type { MetricDescription } from "#lib/platform/metrics/metric-family";

const SHORT_WAITS = [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120, Infinity] as const;

interface CounterOptions {
  known?: readonly string[];
  boundsSeconds?: readonly number[];
}

const PROCESSES = ["web", "worker"] as const;

/**
 * What processes count in memory and add up in the database. Bounds are in seconds, in ascending order; the last one is
 * Infinity. `known` lists values of the only label, which are shown as 0 until something is counted: Prometheus sees no
 * increase in a series that starts with its first count, so an alert on it would miss that count.
 */
export const COUNTER_FAMILIES = [
  {
    name: "signalbox_runs_finished_total",
    type: "counter",
    labels: ["status"],
    known: TERMINAL_RUN_STATUSES,
    help: "Runs that a worker finished, by status.",
  },
  {
    name: "signalbox_run_duration_seconds",
    type: "histogram",
    labels: ["status"],
    known: TERMINAL_RUN_STATUSES,
    help: "Time from the creation of a run to its end, including waits, by status.",
    boundsSeconds: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 300, 3_600, Infinity],
  },
  {
    name: "signalbox_step_duration_seconds",
    type: "histogram",
    labels: ["outcome"],
    help: "Duration of steps, by the kind of journal entry that ended them.",
    boundsSeconds: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30, Infinity],
  },
  {
    name: "signalbox_request_duration_seconds",
    type: "histogram",
    labels: ["status"],
    known: ["500", "503"],
    help: "Duration of requests to the API, MCP, webhooks and callbacks, by HTTP status.",
    boundsSeconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, Infinity],
  },
  {
    name: "signalbox_database_wait_seconds",
    type: "histogram",
    labels: ["process"],
    known: PROCESSES,
    help: "How long work waited for a connection because all connections of its process were busy, by kind of process.",
    boundsSeconds: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, Infinity],
  },
  {
    name: "signalbox_event_loop_delay_seconds",
    type: "histogram",
    labels: ["process"],
    known: PROCESSES,
    help: "How late the event loop was, by kind of process.",
    boundsSeconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 5, Infinity],
  },
  {
    name: "signalbox_sandbox_wait_seconds",
    type: "histogram",
    labels: ["language"],
    known: ["typescript", "jsonata"],
    help: "How long code and JSONata waited for a turn in the sandbox, by language.",
    boundsSeconds: SHORT_WAITS,
  },
  {
    name: "signalbox_connector_failures_total",
    type: "counter",
    labels: ["connector", "code"],
    help: "Calls that failed because of the service, as circuit breakers count them, by connector and error code.",
  },
  {
    name: "signalbox_event_deliveries_total",
    type: "counter",
    labels: ["result"],
    known: ["succeeded", "failed"],
    help: "Attempts to deliver an event to an endpoint, by result: succeeded or failed.",
  },
  {
    name: "signalbox_sweeper_actions_total",
    type: "counter",
    labels: ["action"],
    known: ["resumed", "requeued", "given_up", "timed_out", "approval_expired"],
    help: "Repairs that were needed, by action.",
  },
  {
    name: "signalbox_webhook_rejections_total",
    type: "counter",
    labels: ["code"],
    help: "Inbound webhooks refused, by error code.",
  },
  {
    name: "signalbox_traces_dropped_total",
    type: "counter",
    labels: ["reason"],
    known: ["backlog", "error", "stop"],
    help: "Runs whose traces were not exported, by reason.",
  },
] as const satisfies readonly (MetricDescription & CounterOptions)[];

type CounterFamily = Extract<(typeof COUNTER_FAMILIES)[number], { type: "counter" }>;
type HistogramFamily = Extract<(typeof COUNTER_FAMILIES)[number], { type: "histogram" }>;

export type CounterName = CounterFamily["name"];
export type HistogramName = HistogramFamily["name"];
type FamilyOf<Name extends CounterName> = Extract<CounterFamily, { name: Name }>;
type ValueOf<Family> = Family extends { known: readonly (infer Value extends string)[] } ? Value : string;
export type LabelsOf<Name extends CounterName> = Record<FamilyOf<Name>["labels"][number], ValueOf<FamilyOf<Name>>>;

/** The suffixes of the counters that make up a histogram. */
export const HISTOGRAM_PARTS = ["_bucket", "_sum", "_count"] as const;
/** The name of a counter in the database. */
export type SampleName = CounterName | `${HistogramName}${(typeof HISTOGRAM_PARTS)[number]}`;

export const SAMPLE_NAMES = COUNTER_FAMILIES.flatMap(({ name, type }): string[] =>
  type === "counter" ? [name] : HISTOGRAM_PARTS.map((part) => name + part),
) as [SampleName, ...SampleName[]];
