import type { ApprovalRequestObject } from "#lib/contract/approval/approval";
import { RUN_SOURCES } from "#lib/contract/run/run";
import { type ApprovalRow, presentApproval } from "#lib/domain/approvals/present-approval";
import { enumOf, jsonb, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";

/** A request with its action or workflow, and the caller who asked. */
export const REQUEST_ROW = {
  approval: jsonb<ApprovalRow>(),
  run_id: uuid,
  action_slug: nullable(text),
  workflow_id: uuid,
  workflow_name: text,
  source: enumOf(RUN_SOURCES),
  key_name: nullable(text),
  key_prefix: nullable(text),
  user_name: nullable(text),
};
export type RequestRow = RowOf<typeof REQUEST_ROW>;

/** The columns of RequestRow and the tables they come from: approvals `a` and their runs `r`. */
export const REQUEST_COLUMNS = `to_jsonb(a) as approval, a.run_id, r.action_slug, r.workflow_id, w.name as workflow_name,
  r.source, k.name as key_name, k.prefix as key_prefix, u.name as user_name`;
export const REQUEST_TABLES = `approvals a join runs r on r.id = a.run_id join workflows w on w.id = r.workflow_id
  left join api_keys k on k.id = r.api_key_id left join users u on u.id = r.user_id`;

export function presentRequest(row: RequestRow): ApprovalRequestObject {
  return {
    ...presentApproval(row.approval),
    run_id: row.run_id,
    action_slug: row.action_slug,
    workflow_id: row.workflow_id,
    workflow_name: row.workflow_name,
    source: row.source,
    requested_by: requesterOf(row),
  };
}

/** The user of an event's run is the workflow's owner, whose limit it counts against; no person asked for it. */
function requesterOf(row: RequestRow): ApprovalRequestObject["requested_by"] {
  if (row.key_prefix !== null) return { type: "api_key", name: row.key_name, prefix: row.key_prefix };
  const isEvent = row.source === "webhook" || row.source === "schedule" || row.user_name === null;
  return { type: isEvent ? "event" : "user", name: isEvent ? null : row.user_name, prefix: null };
}
