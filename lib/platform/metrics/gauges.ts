import { env } from "#lib/platform/config/env";
import { type ColumnType, float8, integer, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { IS_LIVE_WORKER } from "#lib/platform/db/live-worker";
import { oldRuns } from "#lib/platform/db/old-runs";
import { OPEN_RUNS } from "#lib/platform/db/open-runs-sql";
import { PARTITIONED_TABLES } from "#lib/platform/db/partitioned-tables";
import { JOB_STATE, QUEUE_STATES } from "#lib/platform/jobs/queue-states";

interface Gauge {
  name: string;
  help: string;
  labels?: readonly string[];
  params?: { defaultDays: typeof integer };
  given?: () => { defaultDays: number };
  /** Its columns are the labels and `value`. */
  sql: string;
}

/** Figures that are read from PostgreSQL whenever someone asks. */
export const GAUGES = [
  {
    name: "signalbox_runs_open",
    help: "Runs that have not ended, by status and source.",
    labels: ["status", "source"],
    sql: `select status, source, count(*)::float8 as value from ${OPEN_RUNS} r group by 1, 2`,
  },
  {
    name: "signalbox_runs_recent",
    help: "Runs made within the last five minutes, by status and source.",
    labels: ["status", "source"],
    // Ids start with their time (UUIDv7), so the primary key finds the newest runs.
    sql: `select status, source, count(*)::float8 as value from runs
      where id >= uuid_floor(now() - interval '5 minutes') group by 1, 2`,
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
    sql: `select queue, waiting::float8 as value from ${QUEUE_STATES}`,
  },
  {
    name: "signalbox_queue_age_seconds",
    help: "How long the oldest run that waits for a worker has been due, by queue; 0 if there is none.",
    labels: ["queue"],
    sql: `select queue, oldest_seconds as value from ${QUEUE_STATES}`,
  },
  {
    name: "signalbox_queue_workers",
    help: "Live workers that serve a queue; 0 if its runs wait for a worker to start.",
    labels: ["queue"],
    sql: `select queue, workers::float8 as value from ${QUEUE_STATES}`,
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
    name: "signalbox_jobs",
    help: "Jobs of graphile-worker that have not succeeded, by task and state: waiting, running or failed for good.",
    labels: ["task", "state"],
    sql: `select task_identifier as task, ${JOB_STATE} as state, count(*)::float8 as value
      from graphile_worker.jobs group by 1, 2`,
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
  {
    name: "signalbox_run_executing_oldest_seconds",
    help: "The longest time that a run has been with its current worker; 0 if no run is with a worker.",
    sql: `select coalesce(extract(epoch from now() - min(taken_at)), 0)::float8 as value from run_queue
      where ticket is not null`,
  },
  {
    name: "signalbox_event_deliveries_pending",
    help: "Events that wait to be delivered to an endpoint, with those that wait for another attempt.",
    sql: "select count(*)::float8 as value from event_deliveries where status = 'pending'",
  },
  {
    name: "signalbox_event_delivery_lag_seconds",
    help: "How long the most overdue attempt of a delivery has been due; 0 when none is.",
    sql: `select greatest(0, coalesce(extract(epoch from now() - min(next_attempt_at)), 0))::float8 as value
      from event_deliveries where status = 'pending'`,
  },
  {
    name: "signalbox_event_endpoints_failing",
    help: "Endpoints that accepted no event since their last failure and are not disabled, by kind.",
    labels: ["kind"],
    sql: `select kind, count(*)::float8 as value from event_endpoints
      where is_enabled and failing_since is not null group by 1`,
  },
  {
    name: "signalbox_retention_behind_seconds",
    help: "How long ago the oldest run that is still there should have been deleted; 0 when none is left.",
    params: { defaultDays: integer },
    given: () => ({ defaultDays: env().RUN_RETENTION_DAYS }),
    sql: `select greatest(0, coalesce(extract(epoch from max(w.until - r.completed_at)), 0))::float8 as value
      from ${oldRuns("r.completed_at", 1)}`,
  },
  {
    name: "signalbox_default_partition_rows",
    help: "Rows in a default partition, where retention does not find them, by table; at most 10,000 are counted.",
    labels: ["table"],
    sql: PARTITIONED_TABLES.map(
      (table) => `select '${table}' as table, count(*)::float8 as value
        from (select 1 from ${table}_default limit 10000) rows`,
    ).join(" union all "),
  },
  {
    name: "signalbox_database_bytes",
    help: "Size of the database on disk.",
    sql: "select pg_database_size(current_database())::float8 as value",
  },
  {
    name: "signalbox_database_connections",
    help: "Connections to the database, by state.",
    labels: ["state"],
    sql: `select coalesce(state, 'unknown') as state, count(*)::float8 as value from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' group by 1`,
  },
  {
    name: "signalbox_database_connections_max",
    help: "Connections that PostgreSQL accepts in all, without those reserved for superusers.",
    sql: `select (current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int)::float8 as value`,
  },
].map(defineGauge);

function defineGauge({ name, help, labels = [], params, given, sql }: Gauge) {
  const row: Record<string, ColumnType> = {};
  for (const label of labels) row[label] = text;
  const declared: Record<string, ColumnType> = params ?? {};
  const statement = defineStatement({ name, params: declared, row: { ...row, value: float8 }, sql });
  return { name, type: "gauge" as const, help, labels, statement, given: given ?? (() => ({})) };
}
