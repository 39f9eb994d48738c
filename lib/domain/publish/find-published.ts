import { ACTION_STATUSES, APPROVAL_POLICIES } from "#lib/contract/action/action";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import { enumOf, json, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const PUBLISHED = {
  id: uuid,
  slug: text,
  status: enumOf(ACTION_STATUSES),
  approvalPolicy: enumOf(APPROVAL_POLICIES),
  /** The version of the current release; null if there is none. */
  inputSchema: nullable(json<InputSchema>()),
};

/** Returns a workflow's action with the schema that its callers rely on now. */
export type PublishedAction = RowOf<typeof PUBLISHED>;

const selectPublished = defineStatement({
  name: "find_published_action",
  params: { workspaceId: uuid, workflowId: uuid },
  row: PUBLISHED,
  sql: `select a.id, a.slug, a.status, a.approval_policy as "approvalPolicy", v.input_schema as "inputSchema"
        from actions a
        left join action_releases r on r.id = a.current_release_id
        left join workflow_versions v on v.id = r.workflow_version_id
        where a.workspace_id = $1 and a.workflow_id = $2`,
  isPrepared: false,
});

export function findPublished(tx: Db, workspaceId: string, workflowId: string): Promise<PublishedAction | null> {
  return selectPublished.first(tx, { workspaceId, workflowId });
}
