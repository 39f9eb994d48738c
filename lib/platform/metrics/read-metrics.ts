import { OPEN_RUN_STATUSES } from "#lib/contract/run";
import { type ColumnType, enumOf, float8, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { IS_LIVE_WORKER } from "#lib/platform/db/live-worker";
import { db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { COUNTER_NAMES, flushCounters } from "#lib/platform/metrics/counters";

/** One family of Prometheus' text format. */
export interface MetricFamily {
  name: string;
  type: "gauge" | "counter" | "histogram";
  help: string;
  /** Sample names may add a suffix to the family's: `_bucket`, `_sum`, `_count`. */
  samples: { name: string; labels: string; value: number }[];
}

interface Gauge {
  name: string;
  help: string;
  labels?: readonly string[];
  /** Its columns are the labels and `value`. */
  sql: string;
}

const GAUGES = [
  {
    name: "signalbox_runs_open",
    help: "Runs that have not ended, by status and source.",
    labels: ["status", "source"],
    sql: `select status, source, count(*)::float8 as value from runs
      where status in ${sqlSet(OPEN_RUN_STATUSES)} group by 1, 2`,
  },
  {
    name: "signalbox_runs_recent",
    help: "Runs made within the last five minutes, by status and source.",
    labels: ["status", "source"],
    // Ids start with their time (UUIDv7), so the primary key finds the newest runs.
    sql: `select status, source, count(*)::float8 as value from runs
      where id >= (lpad(to_hex((extract(epoch from now() - interval '5 minutes') * 1000)::bigint), 12, '0')
        || '00000000000000000000')::uuid group by 1, 2`,
  },
  {
    name: "signalbox_queue_jobs",
    help: "Runs that wait for a worker.",
    sql: "select count(*)::float8 as value from run_queue where ticket is null and run_at <= now()",
  },
  {
    name: "signalbox_queue_oldest_seconds",
    help: "How long the oldest run that waits for a worker has been due; 0 if there is none.",
    sql: `select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as value from run_queue
      where ticket is null and run_at <= now()`,
  },
  {
    name: "signalbox_queue_waiting",
    help: "Due runs that wait for a worker, by queue.",
    labels: ["queue"],
    sql: `select w.queue, count(q.run_id)::float8 as value from workspaces w
      left join run_queue q on q.workspace_id = w.id and q.ticket is null and q.run_at <= now() group by 1`,
  },
  {
    name: "signalbox_queue_age_seconds",
    help: "How long the oldest run that waits for a worker has been due, by queue; 0 if there is none.",
    labels: ["queue"],
    sql: `select w.queue, coalesce(extract(epoch from now() - min(q.run_at)), 0)::float8 as value from workspaces w
      left join run_queue q on q.workspace_id = w.id and q.ticket is null and q.run_at <= now() group by 1`,
  },
  {
    name: "signalbox_queue_workers",
    help: "Live workers that serve a queue; 0 if its runs wait for a worker to start.",
    labels: ["queue"],
    sql: `select w.queue, count(h.pool_id)::float8 as value from (select distinct queue from workspaces) w
      left join worker_heartbeats h on ${IS_LIVE_WORKER} and not h.quarantine
        and (h.queues is null or w.queue = any(h.queues)) group by 1`,
  },
  {
    name: "signalbox_worker_slots",
    help: "How many runs the live workers execute at once, at most.",
    sql: `select coalesce(sum(slots), 0)::float8 as value from worker_heartbeats
      where ${IS_LIVE_WORKER} and not quarantine`,
  },
  {
    name: "signalbox_worker_slots_used",
    help: "Runs that workers execute now, most of them waiting for a response.",
    sql: "select count(*)::float8 as value from run_queue where ticket is not null",
  },
  {
    name: "signalbox_workers",
    help: "Live workers.",
    sql: `select count(*)::float8 as value from worker_heartbeats
      where ${IS_LIVE_WORKER}`,
  },
  {
    name: "signalbox_circuit_breakers",
    help: "Circuit breakers by connector and state, one for each connection and origin, without those of tests.",
    labels: ["connector", "state"],
    sql: "select connector, state, count(*)::float8 as value from circuit_breakers where not is_test group by 1, 2",
  },
  {
    name: "signalbox_listeners",
    help: "Listeners that receive the events of connections, by connector and status.",
    labels: ["connector", "status"],
    sql: `select c.connector, l.status, count(*)::float8 as value
      from connector_listeners l join connections c on c.id = l.connection_id where l.status <> 'off' group by 1, 2`,
  },
  {
    name: "signalbox_listener_failing_seconds",
    help: "The longest time that the events of a connection could not be received; 0 when all can.",
    sql: `select coalesce(extract(epoch from now() - min(failing_since)), 0)::float8 as value
      from connector_listeners where status = 'failed'`,
  },
  {
    name: "signalbox_schedule_lag_seconds",
    help: "How late the most overdue schedule is; 0 when none is.",
    sql: `select greatest(0, coalesce(extract(epoch from now() - min(next_at)), 0))::float8 as value
      from trigger_subscriptions where is_active and next_at is not null`,
  },
].map(defineGauge);

const COUNTERS: readonly Omit<MetricFamily, "samples">[] = [
  {
    name: "signalbox_runs_finished_total",
    type: "counter",
    help: "Runs that a worker finished, by status.",
  },
  {
    name: "signalbox_step_duration_seconds",
    type: "histogram",
    help: "Duration of steps, by the kind of journal entry that ended them.",
  },
  {
    name: "signalbox_event_loop_delay_seconds",
    type: "histogram",
    help: "How late the event loop was, by kind of process.",
  },
  {
    name: "signalbox_sandbox_wait_seconds",
    type: "histogram",
    help: "How long code and JSONata waited for a turn in the sandbox, by language.",
  },
  { name: "signalbox_sweeper_actions_total", type: "counter", help: "Repairs that were needed, by action." },
  { name: "signalbox_webhook_rejections_total", type: "counter", help: "Inbound webhooks refused, by error code." },
];

const readCounters = defineStatement({
  name: "read_counters",
  row: { name: enumOf(COUNTER_NAMES), labels: text, value: float8 },
  sql: "select name, labels, value from metric_counters order by name, labels",
});

/** Returns everything an operator watches, for all processes (decisions, Health and metrics). */
export async function readMetrics(): Promise<MetricFamily[]> {
  await flushCounters();
  const gauges = await Promise.all(GAUGES.map(readGauge));
  const rows = await readCounters.all(db());
  const counters = COUNTERS.map((family) => ({
    ...family,
    samples: rows.filter(({ name }) => name === family.name || isPartOf(name, family)),
  }));
  return [...gauges, ...counters];
}

function isPartOf(name: string, family: Omit<MetricFamily, "samples">): boolean {
  return family.type === "histogram" && ["_bucket", "_sum", "_count"].some((part) => name === family.name + part);
}

function defineGauge({ name, help, labels = [], sql }: Gauge) {
  const row: Record<string, ColumnType> = {};
  for (const label of labels) row[label] = text;
  return { name, help, statement: defineStatement({ name, row: { ...row, value: float8 }, sql }) };
}

async function readGauge({ name, help, statement }: ReturnType<typeof defineGauge>): Promise<MetricFamily> {
  const rows = await statement.all(db());
  const samples = rows.map(({ value, ...labels }) => ({
    name,
    labels: Object.entries(labels)
      .map(([label, text]) => `${label}=${JSON.stringify(text)}`)
      .join(","),
    value,
  }));
  return { name, type: "gauge", help, samples };
}
