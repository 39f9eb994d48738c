import { db } from "#lib/platform/db/pool";
import { RUN_JOB, SUSPECT_RUN_JOB } from "#lib/platform/jobs/payloads";
import { type CounterRow, flushCounters } from "#lib/platform/metrics/counters";

/** One family of Prometheus' text format. */
export interface MetricFamily {
  name: string;
  type: "gauge" | "counter" | "histogram";
  help: string;
  /** Names of samples may go on behind the family's: `_bucket`, `_sum`, `_count`. */
  samples: { name: string; labels: string; value: number }[];
}

interface Gauge {
  name: string;
  help: string;
  /** Yields `value`; its other columns are the labels. */
  sql: string;
  values?: unknown[];
}

const GAUGES: readonly Gauge[] = [
  {
    name: "signalbox_runs_open",
    help: "Runs that have not ended, by status and source.",
    sql: `select status, source, count(*)::float8 as value from runs
      where status in ('accepted', 'running', 'waiting_for_approval') group by 1, 2`,
  },
  {
    name: "signalbox_runs_recent",
    help: "Runs made within the last five minutes, by status and source.",
    // Ids begin with their time (UUIDv7), so the primary key finds the newest runs.
    sql: `select status, source, count(*)::float8 as value from runs
      where id >= (lpad(to_hex((extract(epoch from now() - interval '5 minutes') * 1000)::bigint), 12, '0')
        || '00000000000000000000')::uuid group by 1, 2`,
  },
  {
    name: "signalbox_queue_jobs",
    help: "Jobs of runs that wait for a worker.",
    sql: `select count(*)::float8 as value from graphile_worker.jobs
      where task_identifier = any($1) and locked_at is null and run_at <= now()`,
    values: [[RUN_JOB.identifier, SUSPECT_RUN_JOB.identifier]],
  },
  {
    name: "signalbox_queue_oldest_seconds",
    help: "How long the oldest waiting job of a run has been due; 0 without one.",
    sql: `select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as value from graphile_worker.jobs
      where task_identifier = any($1) and locked_at is null and run_at <= now()`,
    values: [[RUN_JOB.identifier, SUSPECT_RUN_JOB.identifier]],
  },
  {
    name: "signalbox_workers",
    help: "Workers that live.",
    sql: `select count(*)::float8 as value from worker_heartbeats
      where dead_at is null and last_seen_at > now() - interval '10 seconds'`,
  },
  {
    name: "signalbox_circuit_breakers",
    help: "Circuit breakers by connector and state.",
    sql: "select connector, state, count(*)::float8 as value from circuit_breakers group by 1, 2",
  },
  {
    name: "signalbox_listeners",
    help: "What brings the events of connections, by connector and status.",
    sql: `select c.connector, l.status, count(*)::float8 as value
      from connector_listeners l join connections c on c.id = l.connection_id where l.status <> 'off' group by 1, 2`,
  },
  {
    name: "signalbox_listener_failing_seconds",
    help: "How long the events of a connection could not be received, of the longest; 0 when all can.",
    sql: `select coalesce(extract(epoch from now() - min(failing_since)), 0)::float8 as value
      from connector_listeners where status = 'failed'`,
  },
  {
    name: "signalbox_schedule_lag_seconds",
    help: "How far the most overdue schedule is behind; 0 when none is.",
    sql: `select greatest(0, coalesce(extract(epoch from now() - min(next_at)), 0))::float8 as value
      from trigger_subscriptions where is_active and next_at is not null`,
  },
];

const COUNTERS: readonly Omit<MetricFamily, "samples">[] = [
  {
    name: "signalbox_runs_finished_total",
    type: "counter",
    help: "Runs that a worker brought to their end, by status.",
  },
  {
    name: "signalbox_step_duration_seconds",
    type: "histogram",
    help: "Duration of steps, by the kind of journal entry that ended them.",
  },
  { name: "signalbox_sweeper_actions_total", type: "counter", help: "What had to be put right, by action." },
  { name: "signalbox_webhook_rejections_total", type: "counter", help: "Inbound webhooks refused, by error code." },
];

/** Everything an operator watches, of all processes (decisions, Health and metrics). */
export async function readMetrics(): Promise<MetricFamily[]> {
  await flushCounters();
  const gauges = await Promise.all(GAUGES.map(readGauge));
  const { rows } = await db().query<CounterRow>({
    name: "read_counters",
    text: "select name, labels, value from metric_counters order by name, labels",
  });
  const counters = COUNTERS.map((family) => ({
    ...family,
    samples: rows.filter(({ name }) => name === family.name || isPartOf(name, family)),
  }));
  return [...gauges, ...counters];
}

function isPartOf(name: string, family: Omit<MetricFamily, "samples">): boolean {
  return family.type === "histogram" && ["_bucket", "_sum", "_count"].some((part) => name === family.name + part);
}

async function readGauge({ name, help, sql, values = [] }: Gauge): Promise<MetricFamily> {
  const { rows } = await db().query<Record<string, string> & { value: number }>({ name, text: sql, values });
  const samples = rows.map(({ value, ...labels }) => ({
    name,
    labels: Object.entries(labels)
      .map(([label, text]) => `${label}=${JSON.stringify(text)}`)
      .join(","),
    value: Number(value),
  }));
  return { name, type: "gauge", help, samples };
}
