import type { ActionStatus, ApprovalPolicy } from "#lib/contract/action";
import type { InputSchema } from "#lib/contract/json-schema";
import type { Db } from "#lib/platform/db/pool";

/** A workflow's action with the schema its callers rely on now. */
export interface PublishedAction {
  id: string;
  slug: string;
  status: ActionStatus;
  approvalPolicy: ApprovalPolicy;
  /** Of the current release; null when there is none. */
  inputSchema: InputSchema | null;
}

export async function findPublished(tx: Db, workspaceId: string, workflowId: string): Promise<PublishedAction | null> {
  const { rows } = await tx.query<PublishedAction>({
    text: `select a.id, a.slug, a.status, a.approval_policy as "approvalPolicy", v.input_schema as "inputSchema"
           from actions a
           left join action_releases r on r.id = a.current_release_id
           left join workflow_versions v on v.id = r.workflow_version_id
           where a.workspace_id = $1 and a.workflow_id = $2`,
    values: [workspaceId, workflowId],
  });
  return rows[0] ?? null;
}
