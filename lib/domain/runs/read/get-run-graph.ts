import { LIMITS } from "#lib/contract/limits";
import { DONE_EVENT_KINDS } from "#lib/contract/run/journal";
import type { RunSource } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import { type Definition, EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import { deriveTakenEdges, listChoosers, type StepEnd } from "#lib/domain/runs/read/derive-taken-edges";
import { findVersionDefinition } from "#lib/domain/runs/read/find-version-definition";
import { type RunReference, runNotFound } from "#lib/domain/runs/read/get-run";
import {
  array,
  boolean,
  enumOf,
  integer,
  json,
  jsonb,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { UUID_PATTERN } from "#lib/support/ids";

const HAND_STARTED = sqlSet(["manual", "test", "replay", "dry_run"] satisfies RunSource[]);

const selectGraph = defineStatement({
  name: "get_run_graph",
  params: { runId: uuid, workspaceId: uuid, actionSlugs: nullable(array(text)) },
  row: {
    workflow_version_id: nullable(uuid),
    definition: nullable(json<Definition>()),
    workflow_name: text,
    is_deleted: boolean,
    version: nullable(integer),
    key_prefix: nullable(text),
    starter: nullable(text),
    parent_run_id: nullable(uuid),
  },
  // The user of a run that a trigger started is the workflow's owner, who did not start it.
  sql: `select r.workflow_version_id, r.definition, w.name as workflow_name,
          w.deleted_at is not null as is_deleted, v.version,
          k.prefix as key_prefix,
          coalesce(k.name, case when r.source in ${HAND_STARTED} then u.name end) as starter,
          r.parent_run_id
        from runs r join workflows w on w.id = r.workflow_id
          left join workflow_versions v on v.id = r.workflow_version_id
          left join api_keys k on k.id = r.api_key_id left join users u on u.id = r.user_id
        where r.id = $1 and r.workspace_id = $2 and ($3::text[] is null or r.action_slug = any($3))`,
});

/**
 * Returns the graph that a run executed: the definition of its version, or of the draft as it was tested, and the edges
 * it took.
 * @throws ApiError RUN_NOT_FOUND
 */
export async function getRunGraph({ workspaceId, runId, actionSlugs }: RunReference): Promise<RunGraphObject> {
  const row = UUID_PATTERN.test(runId) ? await selectGraph.first(db(), { runId, workspaceId, actionSlugs }) : null;
  if (!row) throw runNotFound();
  const definition =
    (row.workflow_version_id === null ? row.definition : await findVersionDefinition(row.workflow_version_id)) ??
    EMPTY_DEFINITION;
  return {
    workflow_name: row.workflow_name,
    is_deleted: row.is_deleted,
    version: row.version,
    definition,
    taken_edges: deriveTakenEdges(definition, await readEnds(runId, listChoosers(definition))),
    attempts: await readAttempts(runId),
    started_by: row.starter === null ? null : { key_prefix: row.key_prefix, name: row.starter },
    parent_run_id: row.parent_run_id,
  };
}

const selectAttempts = defineStatement({
  name: "read_attempts",
  params: { runId: uuid },
  row: { step_id: text, iteration: text, attempt: integer, at: timestamptz, failed_after_ms: nullable(integer) },
  sql: `select e.node_id as step_id, e.iteration, e.attempt, e.at,
          lead(e.duration_ms) over (partition by e.node_id, e.iteration order by e.seq) as failed_after_ms
        from journal_events($1) e where e.kind = 'step_started' and exists (
          select 1 from journal_events($1) l where l.node_id = e.node_id
            and l.iteration = e.iteration and l.kind = 'step_started' and l.attempt > 1)
        order by e.seq limit ${LIMITS.timelineEvents}`,
});

/**
 * A run can have 100,000 attempts. The first ones are listed; the events of a step say how its others ended.
 * The next attempt's step_started says how an attempt ended (decisions, Runs).
 */
async function readAttempts(runId: string): Promise<RunGraphObject["attempts"]> {
  const rows = await selectAttempts.all(db(), { runId });
  return rows.map(({ at, ...attempt }) => ({ ...attempt, started_at: at.toISOString() }));
}

const selectEnds = defineStatement({
  name: "read_step_ends",
  params: { runId: uuid, choosers: array(text) },
  row: { nodeId: text, kind: enumOf(DONE_EVENT_KINDS), isBypassed: boolean, output: nullable(jsonb<unknown>()) },
  sql: `select distinct node_id as "nodeId", kind, skip_reason is not null as "isBypassed", case when node_id = any($2) then output_data end as output
        from journal_events($1) where kind in ${sqlSet(DONE_EVENT_KINDS)}`,
});

/** The body of a loop ends a thousand times, but only in two or three different ways. */
function readEnds(runId: string, choosers: readonly string[]): Promise<StepEnd[]> {
  return selectEnds.all(db(), { runId, choosers });
}
