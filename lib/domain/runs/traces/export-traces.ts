import { setTimeout as sleep } from "node:timers/promises";
import type { Definition } from "#lib/contract/graph";
import { EVENT_KINDS } from "#lib/contract/journal";
import { RUN_SOURCES, RUN_STATUSES } from "#lib/contract/run";
import { traceOf } from "#lib/core/engine/run-trace";
import { findVersionDefinition } from "#lib/domain/runs/read/find-version-definition";
import { deriveSpans, type TracedEvent, type TracedNode } from "#lib/domain/runs/traces/derive-spans";
import { log } from "#lib/platform/config/log";
import { asWrittenSql } from "#lib/platform/db/as-written-sql";
import {
  array,
  boolean,
  enumOf,
  float8,
  integer,
  json,
  nullable,
  type RowOf,
  text,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { stopTelemetry, type Telemetry, telemetry } from "#lib/platform/telemetry/telemetry";

/** Runs that one pair of statements reads. A run has up to some thousands of events. */
const RUNS_AT_ONCE = 50;
/** How long ended runs gather: under load a statement for each run would cost more than its spans. */
const GATHER_MS = 100;
/** A process that ends runs faster than it can read them back drops the traces of the newest. */
const WAITING_MAX = 10_000;

const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const TRACED_RUN = {
  id: uuid,
  workspaceId: uuid,
  workflowId: uuid,
  versionId: nullable(uuid),
  definition: nullable(json<Definition>()),
  actionSlug: nullable(text),
  source: enumOf(RUN_SOURCES),
  status: enumOf(RUN_STATUSES),
  errorCode: nullable(text),
  traceparent: nullable(text),
  originalId: nullable(uuid),
  originalTraceparent: nullable(text),
  createdMs: float8,
  queuedMs: float8,
  startedMs: nullable(float8),
  endedMs: float8,
  recoveries: integer,
};

const selectRuns = defineStatement({
  name: "read_traced_runs",
  params: { runIds: array(uuid) },
  row: TRACED_RUN,
  sql: `select r.id, r.workspace_id as "workspaceId", r.workflow_id as "workflowId", r.workflow_version_id as "versionId",
          ${asWrittenSql("r.definition")} as definition, r.action_slug as "actionSlug", r.source, r.status,
          r.error->>'code' as "errorCode", r.traceparent, o.id as "originalId", o.traceparent as "originalTraceparent",
          ${millis("r.created_at")} as "createdMs",
          ${millis("coalesce((select a.decided_at from approvals a where a.run_id = r.id and a.node_id = ''), r.created_at)")}
            as "queuedMs",
          ${millis("r.started_at")} as "startedMs", ${millis("r.completed_at")} as "endedMs", r.recoveries
        from runs r left join runs o on o.id = r.resume_from_run_id
        where r.id = any($1::uuid[]) and r.completed_at is not null and not r.dry_run`,
});

const selectEvents = defineStatement({
  name: "read_traced_events",
  params: { runIds: array(uuid) },
  row: {
    runId: uuid,
    nodeId: text,
    iteration: text,
    kind: enumOf(EVENT_KINDS),
    attempt: integer,
    atMs: float8,
    durationMs: nullable(integer),
    isWholeAttempt: boolean,
    errorCode: nullable(text),
  },
  // One search per run: for a list of runs, PostgreSQL may read the whole week, which took 8 ms for 2,000 runs.
  sql: `select e.* from unnest($1::uuid[]) as ended(id) cross join lateral (
          select run_id as "runId", node_id as "nodeId", iteration, kind, attempt, ${millis("at")} as "atMs",
            duration_ms as "durationMs", kind = 'step_completed' and input_data is not null as "isWholeAttempt",
            error->>'code' as "errorCode"
          from execution_events where run_id = ended.id and not reused order by seq) e`,
});

const waiting: string[] = [];
let writing: Promise<void> | null = null;

/**
 * Exports the traces of runs that have ended, later and in the background. The trace of a run is derived from its journal
 * when the run is over: whatever workers it lost on the way, it has one trace, and each of its spans is exported once.
 * Without telemetry this does nothing.
 */
export function exportTraces(runIds: readonly string[]): void {
  if (!telemetry()) return;
  waiting.push(...runIds.slice(0, Math.max(0, WAITING_MAX - waiting.length)));
  writing ??= writeAll().finally(() => {
    writing = null;
  });
}

/** Exports what is left and ends the exports of this process. */
export async function endTraces(): Promise<void> {
  await writing;
  await stopTelemetry();
}

async function writeAll(): Promise<void> {
  for (let tracing = telemetry(); tracing && waiting.length > 0; tracing = telemetry()) {
    if (waiting.length < RUNS_AT_ONCE) await sleep(GATHER_MS);
    try {
      await writeSome(tracing, waiting.splice(0, RUNS_AT_ONCE));
    } catch (error) {
      log.warn({ err: error }, "telemetry: the traces of some runs could not be read");
    }
  }
}

async function writeSome(tracing: Telemetry, runIds: readonly string[]): Promise<void> {
  const all = await selectRuns.all(db(), { runIds });
  const runs = all.filter((run) => isSampled(tracing, run));
  if (runs.length === 0) return;
  const events = await selectEvents.all(db(), { runIds: runs.map(({ id }) => id) });
  const byRun = Map.groupBy(events, ({ runId }): string => runId);
  for (const run of runs) {
    for (const span of deriveSpans(run, (byRun.get(run.id) ?? []) as TracedEvent[], await nodesOf(run), true)) {
      tracing.add(span);
      const room = tracing.keepUp();
      if (room !== null) await room;
    }
  }
}

function isSampled(tracing: Telemetry, { id, traceparent }: Pick<RowOf<typeof TRACED_RUN>, "id" | "traceparent">) {
  const { traceId, parent } = traceOf(id, traceparent);
  return tracing.isSampled(traceId, parent);
}

async function nodesOf({ versionId, definition }: RowOf<typeof TRACED_RUN>): Promise<Map<string, TracedNode>> {
  const found = definition ?? (versionId === null ? null : await findVersionDefinition(versionId));
  return new Map(
    (found?.nodes ?? []).map(({ id, type, parentId }) => [id, { kind: type, parentId: parentId ?? null }]),
  );
}
