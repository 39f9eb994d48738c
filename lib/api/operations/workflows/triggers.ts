import { randomBytes } from "node:crypto";
import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { pageInput } from "#lib/api/operations/define/list-page";
import { LIMITS } from "#lib/contract/limits";
import { runSchema } from "#lib/contract/run/run-schema";
import { TRIGGER_STATUSES } from "#lib/contract/trigger/trigger";
import {
  deliverySchema,
  eventTestSchema,
  sampleAnswerSchema,
  triggerSchema,
} from "#lib/contract/trigger/trigger-schema";
import { wirePageOf } from "#lib/contract/wire/wire-values";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { runWorkflow } from "#lib/domain/triggers/activation/run-workflow";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { listDeliveries } from "#lib/domain/triggers/deliveries/list-deliveries";
import { redeliverEvent } from "#lib/domain/triggers/deliveries/redeliver-event";
import { getEventTest } from "#lib/domain/triggers/tests/get-event-test";
import { sendSample } from "#lib/domain/triggers/tests/send-sample";
import { startEventTest } from "#lib/domain/triggers/tests/start-event-test";
import { stopEventTest } from "#lib/domain/triggers/tests/stop-event-test";
import { getHandshakeToken } from "#lib/domain/triggers/webhooks/get-handshake-token";
import { sealText } from "#lib/platform/secrets/seal-text";

const workflowId = z.uuid();
/** Standard Webhooks: 24 to 64 bytes. */
const SECRET_BYTES = 32;

export const getTriggerOperation = defineOperation({
  name: "get_trigger",
  title: "Get trigger",
  description: "Returns the trigger of a deployed workflow: its address or next time, and the last event it received.",
  scope: "web",
  role: "viewer",
  input: z.object({ workflow_id: workflowId }),
  output: z.object({ trigger: triggerSchema.nullable() }),
  run: async (caller, input) => ({ trigger: await getTrigger(caller.workspaceId, input.workflow_id) }),
});

export const getHandshakeTokenOperation = defineOperation({
  name: "get_handshake_token",
  title: "Get verification token",
  description: "Returns the token that a sender of webhooks brought, to be entered at the sender.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_id: workflowId }),
  output: z.object({ token: z.string().nullable().describe("Null until the sender has brought it.") }),
  run: async (caller, input) => ({ token: await getHandshakeToken(caller.workspaceId, input.workflow_id) }),
});

export const setTriggerStatusOperation = defineOperation({
  name: "set_trigger_status",
  title: "Pause or resume a trigger",
  description: "Pauses or resumes the trigger of a workflow.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_id: workflowId, status: z.enum(TRIGGER_STATUSES) }),
  output: triggerSchema,
  run: (caller, input) => {
    const editor = { workspaceId: caller.workspaceId, userId: caller.userId, actor: actorOf(caller) };
    return setTriggerStatus(editor, input.workflow_id, input.status);
  },
});

export const runWorkflowOperation = defineOperation({
  name: "run_workflow",
  title: "Run a workflow",
  description: "Starts the deployed version of an event_driven workflow now, with an event as its trigger would.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_id: workflowId, event: z.record(z.string(), z.unknown()).default({}) }),
  output: runSchema,
  run: ({ workspaceId, plan, userId }, { workflow_id, event }) =>
    runWorkflow({ workspaceId, plan, userId, workflowId: workflow_id, event }),
});

export const listDeliveriesOperation = defineOperation({
  name: "list_deliveries",
  title: "List deliveries",
  description: "Lists the deliveries to a workflow's trigger in the last days, newest first.",
  scope: "web",
  role: "viewer",
  input: z.object({ workflow_id: workflowId, ...pageInput }),
  output: wirePageOf(deliverySchema),
  run: (caller, { workflow_id, limit, cursor }) => listDeliveries(caller.workspaceId, workflow_id, { limit, cursor }),
});

export const redeliverEventOperation = defineOperation({
  name: "redeliver_event",
  title: "Deliver an event again",
  description: "Starts the deployed workflow with an event that was accepted before.",
  scope: "web",
  role: "editor",
  input: z.object({ delivery_id: z.uuid() }),
  output: z.object({ run_id: z.uuid() }),
  run: (caller, input) => redeliverEvent(caller.workspaceId, input.delivery_id),
});

export const sendSampleEventOperation = defineOperation({
  name: "send_sample_event",
  title: "Send a sample event",
  description: "Sends an event to the workflow's webhook over HTTP, signed as its trigger requires. It starts a run.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_id: workflowId, body: z.string().max(LIMITS.sampleEventCharacters) }),
  output: sampleAnswerSchema,
  run: ({ workspaceId }, { workflow_id, body }) => sendSample({ workspaceId, workflowId: workflow_id, body }),
});

export const sealSecretOperation = defineOperation({
  name: "seal_secret",
  title: "Seal a webhook secret",
  description:
    "Encrypts a secret for the workspace, so that a definition can contain it. Generates a secret if none is sent.",
  scope: "web",
  role: "editor",
  input: z.object({ secret: z.string().trim().min(1).max(LIMITS.webhookSecretCharacters).optional() }),
  output: z.object({ secret: z.string(), sealed: z.string() }),
  run: async (caller, input) => {
    const secret = input.secret ?? `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
    return { secret, sealed: sealText(caller.workspaceId, secret) };
  },
});

export const startEventTestOperation = defineOperation({
  name: "start_event_test",
  title: "Listen for a test event",
  description: "Waits two minutes for one delivery to the workflow's test address. The delivery does not start a run.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_id: workflowId }),
  output: eventTestSchema,
  run: (caller, input) => startEventTest(caller.workspaceId, input.workflow_id),
});

/** Needs an editor: the event is shown unredacted. */
export const getEventTestOperation = defineOperation({
  name: "get_event_test",
  title: "Get the test event",
  description: "Returns whether a workflow is listening for a test event, and the event that arrived.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_id: workflowId }),
  output: z.object({ test: eventTestSchema.nullable() }),
  run: async (caller, input) => ({ test: await getEventTest(caller.workspaceId, input.workflow_id) }),
});

export const stopEventTestOperation = defineOperation({
  name: "stop_event_test",
  title: "Stop listening for a test event",
  description: "Stops waiting for a delivery to the workflow's test address.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_id: workflowId }),
  output: z.object({ test: eventTestSchema.nullable() }),
  run: async (caller, input) => ({ test: await stopEventTest(caller.workspaceId, input.workflow_id) }),
});
