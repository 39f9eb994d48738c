import type { Definition } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { RunError, RunSource, RunStatus } from "#lib/contract/run";
import { type ApprovalRow, approvalJson } from "#lib/domain/approvals/present-approval";
import { type EventTuple, eventsJson } from "#lib/domain/journal/read-events";

/** A run as it is read: its row, the approval it shows and, where asked for, its journal. */
export interface RunRow {
  id: string;
  workflow_id: string;
  workflow_version_id: string | null;
  /** Only of a test run, whose definition no version holds. */
  definition: Definition | null;
  action_slug: string | null;
  action_release_version: number | null;
  source: RunSource;
  status: RunStatus;
  dry_run: boolean;
  input: JsonObject;
  output: JsonObject | null;
  error: RunError | null;
  correlation_id: string;
  resume_from_run_id: string | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
  approval: ApprovalRow | null;
  events: EventTuple[] | null;
}

/** Which part of the journal a statement reads beside the run. */
export type EventsRead = "none" | "without_payloads" | "full";

/** The columns of RunRow, of a `runs r`. */
export function runColumns(events: EventsRead): string {
  return `r.id, r.workflow_id, r.workflow_version_id, r.definition, r.action_slug, r.action_release_version, r.source,
    r.status, r.dry_run, r.input, r.output, r.error, r.correlation_id, r.resume_from_run_id, r.created_at, r.started_at,
    r.completed_at, ${approvalJson("r.id")} as approval,
    ${events === "none" ? "null::json" : eventsJson("r.id", events === "full")} as events`;
}
