import { ApiError } from "#lib/contract/api-error";
import type { RunSource, RunStatus } from "#lib/contract/run";
import { db } from "#lib/platform/db/pool";

/** Which runs a list is of; what is left out does not narrow it. */
export interface RunFilters {
  workspaceId: string;
  actionSlug?: string | undefined;
  workflowId?: string | undefined;
  /** A version of the action's or the workflow's, one of which has to be given. */
  version?: number | undefined;
  statuses?: readonly RunStatus[] | undefined;
  sources?: readonly RunSource[] | undefined;
  apiKeyId?: string | undefined;
  correlationId?: string | undefined;
  resumeFromRunId?: string | undefined;
  /** Words of the error, each from its beginning. */
  errorText?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  /** A key limited to some actions sees their runs alone; null is all. */
  actionSlugs: readonly string[] | null;
}

/** Conditions on a `runs r`, and the values of their places. */
export interface RunConditions {
  /** Those that bound a workspace's runs in time. */
  range: string[];
  rest: string[];
  values: unknown[];
}

/**
 * The part of the runs that `RunFilters` names, but for the words of their errors (`lib/domain/runs/read/find-error-runs`), as
 * conditions that one of the indexes of `runs` serves.
 */
export function filterRuns(filters: RunFilters): RunConditions {
  const values: unknown[] = [filters.workspaceId];
  const range = ["r.workspace_id = $1"];
  const rest: string[] = [];
  const add = (condition: (place: string) => string, value: unknown, where = rest) => {
    if (value === undefined || value === null) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  // A single value is compared by itself: only then does its index give the rows in their order.
  const addWords = (column: string, words: readonly string[] | undefined) =>
    words?.length === 1
      ? add((place) => `r.${column} = ${place}`, words[0])
      : add((place) => `r.${column} = any(${place})`, words);
  // An action belongs to one workflow for good, under one slug: that one's index serves both filters. Only tests of its
  // draft have no slug; comparing the slug as well would make the planner expect few rows and sort them all.
  add(
    (place) => `r.action_slug is not null
      and r.workflow_id = (select a.workflow_id from actions a where a.workspace_id = $1 and a.slug = ${place})`,
    filters.actionSlug,
  );
  add((place) => `r.action_slug = any(${place})`, filters.actionSlugs);
  add((place) => `r.workflow_id = ${place}`, filters.workflowId);
  add((place) => `r.api_key_id = ${place}`, filters.apiKeyId);
  add((place) => `r.correlation_id = ${place}`, filters.correlationId);
  add((place) => `r.resume_from_run_id = ${place}`, filters.resumeFromRunId);
  add((place) => `r.created_at >= ${place}`, filters.createdAfter, range);
  add((place) => `r.created_at < ${place}`, filters.createdBefore, range);
  addWords("status", filters.statuses);
  addWords("source", filters.sources);
  return { range, rest, values };
}

const WORDS_MAX = 8;

/**
 * The words to search errors for, each from its beginning; the workspace is one of them (see
 * `prisma/functions/error_words.sql`). Each is also searched for as a whole word, which adds no hit: PostgreSQL knows how
 * common a whole word is. Undefined if the filters search for no words.
 */
export function errorQuery({ workspaceId, errorText }: RunFilters): string | undefined {
  const words = errorText?.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  if (!words) return undefined;
  return [`'${workspaceId}'`, ...words.slice(0, WORDS_MAX).map((word) => `('${word}' | '${word}':*)`)].join(" & ");
}

/** When a version was the one that new runs were made of. */
export interface VersionTime {
  versionId: string;
  from: Date;
  until: Date | null;
}

/** A publication and a call may overlap: their times are those of the beginning of a transaction. */
const OVERLAP = "interval '1 minute'";

/**
 * The version that a list is of; null when there is no such version.
 * @throws ApiError BAD_REQUEST: of which workflow?
 */
export async function findVersionTime(filters: RunFilters): Promise<VersionTime | null> {
  const { workspaceId, version, actionSlug, workflowId } = filters;
  if (actionSlug === undefined && workflowId === undefined) {
    throw new ApiError("BAD_REQUEST", "version: say of which action_slug or workflow_id");
  }
  const { rows } = await db().query<VersionTime>({
    name: "find_version_time",
    text: `select v.id as "versionId", v.created_at - ${OVERLAP} as from,
             (select min(n.created_at) from workflow_versions n
              where n.workflow_id = v.workflow_id and n.version > v.version) + ${OVERLAP} as until
           from workflow_versions v where v.workspace_id = $1 and v.version = $2 and v.workflow_id = coalesce($4::uuid,
             (select a.workflow_id from actions a where a.workspace_id = $1 and a.slug = $3))`,
    values: [workspaceId, version, actionSlug ?? null, workflowId ?? null],
  });
  return rows[0] ?? null;
}
