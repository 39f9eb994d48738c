import { z } from "zod";
import { RUN_SOURCES, RUN_STATUSES, type RunSource, type RunStatus } from "#lib/contract/run/run";
import type { RunFilters } from "#lib/domain/runs/read/run-filters";
import { numeric } from "#lib/support/numbers/numeric";

/** Parses a comma-separated list of known words. It is text because it is one query parameter. */
export function commaList(words: readonly string[]) {
  const isKnown = (text: string) => text.split(",").every((word) => words.includes(word));
  return z
    .string()
    .max(200)
    .refine(isKnown, `must be a comma-separated list of: ${words.join(", ")}`)
    .optional();
}

/** Returns the words of a comma-separated list that its schema has checked. undefined stays undefined. */
function wordsOf<Word extends string>(text: string | undefined): Word[] | undefined {
  return text === undefined ? undefined : ([...new Set(text.split(","))].sort() as Word[]);
}

const moment = z.iso.datetime({ offset: true }).optional();

/** The filters of a list of runs, as a caller sends them. */
export const runFiltersInput = {
  action_slug: z.string().max(64).optional().describe("Runs of this action."),
  workflow_id: z.uuid().optional().describe("Runs of this workflow."),
  status: commaList(RUN_STATUSES).describe("Comma-separated list of statuses."),
  source: commaList(RUN_SOURCES).describe("Comma-separated list of sources."),
  version: numeric(z.number().int().positive())
    .optional()
    .describe("Version of the action or workflow in the other filter."),
  api_key_id: z.uuid().optional().describe("Runs that this key started."),
  error_text: z.string().max(200).optional().describe("Words of the run's error. The start of each word is enough."),
  error_group: z.guid().optional().describe("Runs with the same error."),
  correlation_id: z.string().max(128).optional().describe("Runs with this reference of yours."),
  resume_from_run_id: z.uuid().optional().describe("Replays of this run."),
  created_after: moment.describe("Runs created at or after this time."),
  created_before: moment.describe("Runs created before this time."),
};

const filtersSchema = z.object(runFiltersInput);

/** Returns the filters that a caller sent; the workspace and what the caller may see are not part of them. */
export function toRunFilters(input: z.output<typeof filtersSchema>): Omit<RunFilters, "workspaceId" | "actionSlugs"> {
  return {
    actionSlug: input.action_slug,
    workflowId: input.workflow_id,
    statuses: wordsOf<RunStatus>(input.status),
    sources: wordsOf<RunSource>(input.source),
    version: input.version,
    apiKeyId: input.api_key_id,
    errorText: input.error_text,
    errorGroup: input.error_group,
    correlationId: input.correlation_id,
    resumeFromRunId: input.resume_from_run_id,
    createdAfter: dateOf(input.created_after),
    createdBefore: dateOf(input.created_before),
  };
}

function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
