import { RUN_SOURCES, RUN_STATUSES } from "#lib/contract/run/run";
import type { RunFilters, RunsRequest } from "#lib/domain/runs/read/run-filters";

const ALL: RunFilters = {
  workspaceId: "",
  actionSlug: "",
  actionSlugs: [],
  workflowId: "",
  apiKeyId: "",
  correlationId: "",
  resumeFromRunId: "",
  errorGroup: "",
  createdAfter: new Date(0),
  createdBefore: new Date(0),
  statuses: RUN_STATUSES,
  sources: RUN_SOURCES,
};
const SINGLE: Partial<RunFilters> = { statuses: ["failed"], sources: ["action"] };
const TIME = { versionId: "", from: new Date(0) };

/** Requests that together use every condition, for the test that prepares statements. Their values do not matter. */
export function exampleRequests(): RunsRequest[] {
  const after = { createdAt: new Date(0), id: "" };
  return [
    { filters: { workspaceId: "", actionSlugs: null }, order: "desc", after: null, time: undefined },
    { filters: ALL, order: "asc", after, time: { ...TIME, until: null } },
    { filters: { ...ALL, ...SINGLE }, order: "desc", after, time: { ...TIME, until: new Date(0) } },
  ];
}
