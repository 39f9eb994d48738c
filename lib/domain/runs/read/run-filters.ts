import { ApiError } from "#lib/contract/error/api-error";
import { isSuccess, RUN_SOURCES, RUN_STATUSES, type RunSource, type RunStatus } from "#lib/contract/run/run";
import { array, enumOf, integer, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement, type ParamPlace } from "#lib/platform/db/define-statement";
import type { Keyset } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

/** Filters of a list of runs; a filter that is left out does not narrow it. */
export interface RunFilters {
  workspaceId: string;
  actionSlug?: string | undefined;
  workflowId?: string | undefined;
  /** A version of the action or the workflow, one of which is required. */
  version?: number | undefined;
  statuses?: readonly RunStatus[] | undefined;
  sources?: readonly RunSource[] | undefined;
  apiKeyId?: string | undefined;
  correlationId?: string | undefined;
  resumeFromRunId?: string | undefined;
  /** Words of the error, each matched from its start. */
  errorText?: string | undefined;
  /** Runs whose errors are the same but for ids and numbers (listErrorGroups). */
  errorGroup?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  /** The actions whose runs a limited key may see; null means all. */
  actionSlugs: readonly string[] | null;
}

/** What a statement over a list of runs reads: which runs, in which order, and after which one. */
export interface RunsRequest {
  filters: RunFilters;
  order: "asc" | "desc";
  /** The last run of the previous page. */
  after: Keyset | null;
  /** The time of the requested version. */
  time: VersionTime | undefined;
}

/** The parameters that statements over lists of runs may use. */
export const RUNS_PARAMS = {
  workspaceId: uuid,
  actionSlug: text,
  actionSlugs: array(text),
  workflowId: uuid,
  apiKeyId: uuid,
  correlationId: text,
  resumeFromRunId: uuid,
  errorGroup: uuid,
  createdAfter: timestamptz,
  createdBefore: timestamptz,
  status: enumOf(RUN_STATUSES),
  statuses: array(enumOf(RUN_STATUSES)),
  source: enumOf(RUN_SOURCES),
  sources: array(enumOf(RUN_SOURCES)),
  afterTime: timestamptz,
  afterId: uuid,
  versionId: uuid,
  versionFrom: timestamptz,
  versionUntil: timestamptz,
};
export type RunsPlace = ParamPlace<typeof RUNS_PARAMS>;

/** Returns the values of RUNS_PARAMS. */
export function runsValues({ filters, after, time }: RunsRequest) {
  return {
    ...filters,
    status: filters.statuses?.[0],
    source: filters.sources?.[0],
    afterTime: after?.createdAt,
    afterId: after?.id,
    versionId: time?.versionId,
    versionFrom: time?.from,
    versionUntil: time?.until,
  };
}

/** Conditions on a `runs r`. */
export interface RunConditions {
  /** The conditions that bound a workspace's runs in time. */
  range: string[];
  rest: string[];
}

/**
 * Returns the conditions of a request, each served by an index of `runs`. The words of errors
 * (`lib/domain/runs/read/find-error-runs`), the version, and the status are not part of them.
 */
export function filterRuns({ filters, after, order }: RunsRequest, place: RunsPlace): RunConditions {
  const workspace = place("workspaceId");
  const range = [`r.workspace_id = ${workspace}`];
  const rest: string[] = [];
  // An action belongs to one workflow forever, under one slug, so the workflow's index serves both filters. Only tests
  // of its draft have no slug; comparing the slug as well would make the planner expect few rows and sort them all.
  if (filters.actionSlug !== undefined) {
    rest.push(`r.action_slug is not null and r.workflow_id =
      (select a.workflow_id from actions a where a.workspace_id = ${workspace} and a.slug = ${place("actionSlug")})`);
  }
  if (filters.actionSlugs !== null) rest.push(`r.action_slug = any(${place("actionSlugs")})`);
  if (filters.workflowId !== undefined) rest.push(`r.workflow_id = ${place("workflowId")}`);
  if (filters.apiKeyId !== undefined) rest.push(`r.api_key_id = ${place("apiKeyId")}`);
  if (filters.correlationId !== undefined) rest.push(hasCorrelationId(filters.correlationId, place("correlationId")));
  if (filters.resumeFromRunId !== undefined) rest.push(`r.resume_from_run_id = ${place("resumeFromRunId")}`);
  if (filters.errorGroup !== undefined) rest.push(`r.error_group = ${place("errorGroup")}`);
  if (filters.createdAfter !== undefined) range.push(`r.created_at >= ${place("createdAfter")}`);
  if (filters.createdBefore !== undefined) range.push(`r.created_at < ${place("createdBefore")}`);
  // A single value is compared with `=`: only then does its index return the rows in order.
  if (filters.sources?.length === 1) rest.push(`r.source = ${place("source")}`);
  else if (filters.sources) rest.push(`r.source = any(${place("sources")})`);
  if (after) {
    range.push(`(r.created_at, r.id) ${order === "asc" ? ">" : "<"} (${place("afterTime")}, ${place("afterId")})`);
  }
  return { range, rest };
}

/** A run without a reference of its caller has its own id, and is not in the index of references. */
function hasCorrelationId(id: string, value: string): string {
  const others = `r.correlation_id = ${value} and r.correlation_id <> r.id::text`;
  return UUID_PATTERN.test(id) ? `(${others} or r.correlation_id = ${value} and r.id = ${value}::uuid)` : others;
}

/** Returns the condition on the status of runs that other conditions find, if there is one. */
export function checkStatus({ filters: { statuses } }: RunsRequest, place: RunsPlace): string[] {
  return statuses ? [isOneOf("r.status", statuses, place)] : [];
}

function isOneOf(column: string, statuses: readonly RunStatus[], place: RunsPlace): string {
  return statuses.length === 1 ? `${column} = ${place("status")}` : `${column} = any(${place("statuses")})`;
}

/** More queued runs than this are not gathered and sorted: newest first, the first runs of the list are among them. */
const GATHERED_MAX = 2_000;

/**
 * Returns the condition on the status as alternatives that exclude each other, each served by an index. Accepted runs are
 * found in the queue, and those that ended without success by `indexed_status`.
 */
export function filterStatuses({ filters: { statuses }, order }: RunsRequest, place: RunsPlace): string[] {
  if (!statuses) return ["true"];
  if (statuses.some(isSuccess)) return [isOneOf("r.status", statuses, place)];
  const parts: string[] = [];
  if (statuses.some((status) => status !== "accepted")) parts.push(isOneOf("r.indexed_status", statuses, place));
  if (statuses.includes("accepted")) {
    const isQueued = "r.status = 'accepted' and";
    const queued = `select q.run_id from run_queue q where q.workspace_id = ${place("workspaceId")}`;
    const isMuch = `(select count(*) from (${queued} limit ${GATHERED_MAX + 1}) q) > ${GATHERED_MAX}`;
    if (order === "asc") parts.push(`${isQueued} r.id in (${queued})`);
    else parts.push(`${isQueued} not ${isMuch} and r.id in (${queued})`, `${isQueued} ${isMuch}`);
  }
  return parts;
}

const WORDS_MAX = 8;

/**
 * Builds the query for words of errors, each matched from its start; the workspace is one of the words (see
 * `prisma/functions/error_words.sql`). Each is also searched for as a whole word, which adds no hit: PostgreSQL knows
 * how common a whole word is. Undefined if the filters contain no words.
 */
export function errorQuery({ workspaceId, errorText }: RunFilters): string | undefined {
  const words = errorText?.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  if (!words) return undefined;
  return [`'${workspaceId}'`, ...words.slice(0, WORDS_MAX).map((word) => `('${word}' | '${word}':*)`)].join(" & ");
}

/** The time in which new runs used a version. */
export interface VersionTime {
  versionId: string;
  from: Date;
  until: Date | null;
}

/** A publish and a call may overlap: their times are those of the start of a transaction. */
const OVERLAP = "interval '1 minute'";

const selectVersionTime = defineStatement({
  name: "find_version_time",
  params: { workspaceId: uuid, version: integer, actionSlug: nullable(text), workflowId: nullable(uuid) },
  row: { versionId: uuid, from: timestamptz, until: nullable(timestamptz) },
  sql: `select v.id as "versionId", v.created_at - ${OVERLAP} as from,
          (select min(n.created_at) from workflow_versions n
           where n.workflow_id = v.workflow_id and n.version > v.version) + ${OVERLAP} as until
        from workflow_versions v where v.workspace_id = $1 and v.version = $2 and v.workflow_id = coalesce($4::uuid,
          (select a.workflow_id from actions a where a.workspace_id = $1 and a.slug = $3))`,
});

/**
 * Finds the version that a list is limited to, or null if there is none.
 * @throws ApiError BAD_REQUEST if neither action nor workflow is given
 */
export async function findVersionTime(filters: RunFilters & { version: number }): Promise<VersionTime | null> {
  const { workspaceId, version, actionSlug, workflowId } = filters;
  if (actionSlug === undefined && workflowId === undefined) {
    throw new ApiError("BAD_REQUEST", "version: give an action_slug or workflow_id too");
  }
  return selectVersionTime.first(db(), {
    workspaceId,
    version,
    actionSlug: actionSlug ?? null,
    workflowId: workflowId ?? null,
  });
}
