import { ACTION_STATUSES, APPROVAL_POLICIES, type ApprovalPolicy, SLUG_PATTERN } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import { enumOf, integer, json, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { remember } from "#lib/support/sized-cache";

/** Everything that a call needs to know about an action before it creates a run. */
export interface RunnableAction {
  id: string;
  slug: string;
  workflowId: string;
  approvalPolicy: ApprovalPolicy;
  releaseId: string;
  releaseVersion: number;
  versionId: string;
  inputSchema: InputSchema;
}

const selectAction = defineStatement({
  name: "get_runnable_action",
  params: { workspaceId: uuid, slug: text },
  row: {
    id: uuid,
    workflow_id: uuid,
    status: enumOf(ACTION_STATUSES),
    approval_policy: enumOf(APPROVAL_POLICIES),
    release_id: nullable(uuid),
    version: nullable(integer),
    version_id: nullable(uuid),
    input_schema: nullable(json<InputSchema>()),
  },
  sql: `select a.id, a.workflow_id, a.status, a.approval_policy, r.id as release_id, r.version, v.id as version_id,
          v.input_schema
        from actions a
        left join action_releases r on r.id = a.current_release_id
        left join workflow_versions v on v.id = r.workflow_version_id
        where a.workspace_id = $1 and a.slug = $2`,
});

/** Each action as it was last read: a guess, which create_runs checks before it creates the run. */
const lastRead = new Map<string, RunnableAction>();
const LAST_READ_MAX = 1_000;

const keyOf = (workspaceId: string, slug: string) => `${workspaceId}/${slug}`;

/** Returns the action as this process last read it, possibly outdated, or null if it has not read it. */
export function recallRunnableAction(workspaceId: string, slug: string): RunnableAction | null {
  return lastRead.get(keyOf(workspaceId, slug)) ?? null;
}

/**
 * Returns the current action, with its current release.
 * @throws ApiError ACTION_NOT_FOUND, ACTION_UNAVAILABLE (contract, Errors: not active, or no current release)
 */
export async function getRunnableAction(workspaceId: string, slug: string): Promise<RunnableAction> {
  const row = await selectAction.first(db(), { workspaceId, slug });
  if (!row) throw actionNotFound(slug);
  if (row.status !== "active") throw new ApiError("action_inactive", `The action ${slug} is ${row.status}.`);
  const { release_id: releaseId, version: releaseVersion, version_id: versionId, input_schema: inputSchema } = row;
  if (releaseId === null || releaseVersion === null || versionId === null || inputSchema === null)
    throw new ApiError("action_without_release", `The action ${slug} has no current release.`);
  const recalled = recallRunnableAction(workspaceId, slug);
  const action: RunnableAction = {
    id: row.id,
    slug,
    workflowId: row.workflow_id,
    approvalPolicy: row.approval_policy,
    releaseId,
    releaseVersion,
    versionId,
    // Returns the same object for the same version, because the compiled schema is cached by it.
    inputSchema: recalled?.versionId === versionId ? recalled.inputSchema : inputSchema,
  };
  remember(lastRead, keyOf(workspaceId, slug), action, LAST_READ_MAX);
  return action;
}

/** One text for an unknown, draft, deleted and foreign action: from outside they look the same. */
export function actionNotFound(slug: string): ApiError {
  return new ApiError(
    "ACTION_NOT_FOUND",
    SLUG_PATTERN.test(slug) ? `There is no action ${slug}.` : "There is no such action.",
  );
}
