import type { ApprovalPolicy } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import { APPROVAL_REMOVED, BREAKING_CHANGE } from "#lib/contract/event/outbound-event";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import type { SchemaChange } from "#lib/contract/workflow/workflow";
import { findUnguardedSteps } from "#lib/core/graph/compare/find-unguarded-steps";
import { nodeLabel } from "#lib/core/steps/node-data";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import type { PublishedAction } from "#lib/domain/publish/find-published";
import { pageUrl } from "#lib/platform/config/page-url";
import { enumOf, jsonb, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

/**
 * Refuses to let a key relax the approval policy of an action (decisions, Controls). People and the command line may.
 * @throws ApiError FORBIDDEN
 */
export function assertKeepsPolicy(
  actor: Actor,
  { id, existing }: { id: string; existing: PublishedAction | null },
  wanted: ApprovalPolicy | undefined,
): void {
  if (actor.type !== "api_key" || existing?.approvalPolicy !== "always" || wanted !== "never") return;
  const message =
    `An API key cannot relax the approval policy of ${existing.slug} from always to never. ` +
    `Leave out approval_policy, or ask an owner, admin or editor to change it at ${pageUrl(`/workflows/${id}`)}.`;
  throw new ApiError("person_required", message, {
    details: { field: "approval_policy", current: "always", requested: "never", required_role: "editor" },
  });
}

const emitEvent = defineStatement({
  name: "emit_key_publish",
  params: {
    workspaceId: uuid,
    type: enumOf([BREAKING_CHANGE, APPROVAL_REMOVED]),
    data: jsonb<JsonObject>(),
  },
  sql: "select emit_event($1, $2, $3)",
  isPrepared: false,
});

interface KeyPublish {
  workspaceId: string;
  workflowId: string;
  workflowName: string;
  slug: string;
  version: number;
  actor: Actor;
  breaking: readonly SchemaChange[];
  before: Definition;
  after: Definition;
}

/**
 * Notifies owners and admins of what a key's publish loosened: a change that breaks callers, approval steps that the new
 * version no longer has, and steps that no longer wait for an approval (decisions, Controls). Each is an audit row, which the web application shows as a notice, and
 * an outbound event, which is emailed. People who publish see both in the publish dialog.
 */
export async function reportKeyPublish(tx: Db, publish: KeyPublish): Promise<void> {
  const { breaking, before, after } = publish;
  const fields = breaking.map(({ field }) => field);
  const steps = removedApprovals(before, after);
  const unguarded = findUnguardedSteps(before, after).map(nodeLabel);
  if (fields.length > 0) await report(tx, publish, BREAKING_CHANGE, { fields });
  if (steps.length + unguarded.length > 0) {
    await report(tx, publish, APPROVAL_REMOVED, {
      steps,
      ...(unguarded.length > 0 ? { unguarded_steps: unguarded } : {}),
    });
  }
}

/** Returns the names of the approval steps that only the older definition has. */
function removedApprovals(before: Definition, after: Definition): string[] {
  const kept = new Set(after.nodes.filter(({ type }) => type === "approval").map(({ id }) => id));
  return before.nodes.filter(({ id, type }) => type === "approval" && !kept.has(id)).map(nodeLabel);
}

async function report(
  tx: Db,
  { workspaceId, workflowId, workflowName, slug, version, actor }: KeyPublish,
  type: typeof BREAKING_CHANGE | typeof APPROVAL_REMOVED,
  details: JsonObject,
): Promise<void> {
  const facts = { action_slug: slug, version, ...details };
  await recordAudit(tx, {
    workspaceId,
    actor,
    action: type,
    objectType: "workflow",
    objectId: workflowId,
    details: { name: workflowName, ...facts },
  });
  const data = { workflow_id: workflowId, workflow_name: workflowName, ...facts, key_name: actor.name };
  await emitEvent.run(tx, { workspaceId, type, data });
}
