import { createHmac } from "node:crypto";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import type { TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";

export interface TestTrigger {
  workflowId: string;
  subscriptionId: string;
}

/** For tests: returns an event_driven workflow with one step that outputs the event. */
export function triggerDefinition(trigger: JsonObject) {
  const seen = node("seen", "transform", { fields: [{ name: "what", value: "{{trigger.output}}" }] });
  return { nodes: [node("start", "trigger", trigger), seen], edges: edges("start>seen") };
}

export function editorIn({ workspaceId, userId }: TestWorkspace): Editor {
  return { workspaceId, userId, actor: { type: "user", id: userId, name: "Owner" } };
}

/** For tests: creates and activates a workflow with this trigger. */
export async function addTrigger(workspace: TestWorkspace, trigger: JsonObject): Promise<TestTrigger> {
  const definition = triggerDefinition(trigger);
  const { workflow_id: workflowId } = await createWorkflow(editorIn(workspace), {
    name: "Events",
    description: null,
    definition,
  });
  return { workflowId, subscriptionId: await deploy(workspace, workflowId) };
}

/** For tests: publishes another trigger in the same workflow. */
export async function republish(
  workspace: TestWorkspace,
  { workflowId }: TestTrigger,
  trigger: JsonObject,
): Promise<string> {
  await updateWorkflow(workspace.workspaceId, workflowId, { definition: triggerDefinition(trigger) });
  return deploy(workspace, workflowId);
}

async function deploy(workspace: TestWorkspace, workflowId: string): Promise<string> {
  await deployWorkflow(editorIn(workspace), { workflowId });
  const trigger = await getTrigger(workspace.workspaceId, workflowId);
  if (!trigger) throw new Error("the workflow was deployed without a subscription");
  return trigger.subscription_id;
}

/** For tests: lists a workflow's runs, oldest first, with their trigger and whether a job waits. */
export async function runsOf({ workflowId }: Pick<TestTrigger, "workflowId">) {
  const { rows } = await db().query(
    `select r.id, r.source, r.status, r.error, r.input, r.action_slug, r.action_release_version, r.subscription_id,
       r.user_id, r.traceparent, (select count(*)::int from run_queue q where q.run_id = r.id) as jobs
     from runs r where r.workflow_id = $1 order by r.created_at, r.id`,
    [workflowId],
  );
  return rows;
}

export const STANDARD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** For tests: builds the headers of a Standard Webhooks signature. */
export function signStandard(body: string, id: string, at = Date.now(), secret = STANDARD_SECRET) {
  const timestamp = String(Math.floor(at / 1_000));
  const hmac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
  const signature = hmac.update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
