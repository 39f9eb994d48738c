import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { pageInput } from "#lib/api/operations/define/list-page";
import {
  createAlertRuleInput,
  createEventEndpointInput,
  eventsSchema,
  updateEventEndpointInput,
} from "#lib/contract/event/event-inputs";
import {
  alertRuleSchema,
  endpointWithSecretSchema,
  eventDeliverySchema,
  eventEndpointSchema,
  eventMailSchema,
} from "#lib/contract/event/outbound-event-schema";
import { wireListOf, wirePageOf } from "#lib/contract/wire/wire-values";
import { deleteRule, setRule } from "#lib/domain/outbound-events/alerts/change-rule";
import { createRule } from "#lib/domain/outbound-events/alerts/create-rule";
import { readRules } from "#lib/domain/outbound-events/alerts/rule-row";
import { listEventDeliveries } from "#lib/domain/outbound-events/deliveries/list-deliveries";
import { resendEvent } from "#lib/domain/outbound-events/deliveries/resend-event";
import { createEndpoint } from "#lib/domain/outbound-events/endpoints/create-endpoint";
import { deleteEndpoint } from "#lib/domain/outbound-events/endpoints/delete-endpoint";
import { listEndpoints } from "#lib/domain/outbound-events/endpoints/list-endpoints";
import { rotateSecret } from "#lib/domain/outbound-events/endpoints/rotate-secret";
import { setMailEvents } from "#lib/domain/outbound-events/endpoints/set-mail-events";
import { testEndpoint } from "#lib/domain/outbound-events/endpoints/test-endpoint";
import { updateEndpoint } from "#lib/domain/outbound-events/endpoints/update-endpoint";
import { db } from "#lib/platform/db/pool";

/** Only admins see and change where a workspace's events are sent: the addresses can contain secrets. */
const ADMIN = { scope: "web", role: "admin" } as const;
const endpointInput = z.object({ endpoint_id: z.uuid() });

const listEventEndpointsOperation = defineOperation({
  ...ADMIN,
  name: "list_event_endpoints",
  title: "List event endpoints",
  description: "Returns the endpoints that receive the workspace's events, and the events that are sent by email.",
  input: z.object({}),
  output: wireListOf(eventEndpointSchema).extend({ mail: eventMailSchema }),
  run: (caller) => listEndpoints(caller.workspaceId),
});

const createEventEndpointOperation = defineOperation({
  ...ADMIN,
  name: "create_event_endpoint",
  title: "Create event endpoint",
  description: "Adds an endpoint. Only this answer contains its signing secret.",
  input: createEventEndpointInput,
  output: endpointWithSecretSchema,
  run: (caller, input) =>
    createEndpoint({ workspaceId: caller.workspaceId, userId: caller.userId, actor: actorOf(caller), ...input }),
});

const updateEventEndpointOperation = defineOperation({
  ...ADMIN,
  name: "update_event_endpoint",
  title: "Change event endpoint",
  description: "Changes an endpoint's address, name or events, or enables or disables it.",
  input: updateEventEndpointInput,
  output: eventEndpointSchema,
  run: (caller, { endpoint_id: endpointId, is_enabled: isEnabled, ...changes }) =>
    updateEndpoint({ workspaceId: caller.workspaceId, endpointId }, { ...changes, isEnabled }, actorOf(caller)),
});

const rotateEventSecretOperation = defineOperation({
  ...ADMIN,
  name: "rotate_event_secret",
  title: "Rotate signing secret",
  description: "Replaces an endpoint's signing secret. The old secret also signs for one more day.",
  input: endpointInput,
  output: endpointWithSecretSchema,
  run: (caller, input) =>
    rotateSecret({ workspaceId: caller.workspaceId, endpointId: input.endpoint_id }, actorOf(caller)),
});

const deleteEventEndpointOperation = defineOperation({
  ...ADMIN,
  name: "delete_event_endpoint",
  title: "Delete event endpoint",
  description: "Deletes an endpoint and its log.",
  input: endpointInput,
  output: endpointInput.extend({ deleted: z.literal(true) }),
  run: (caller, input) =>
    deleteEndpoint({ workspaceId: caller.workspaceId, endpointId: input.endpoint_id }, actorOf(caller)),
});

const testEventEndpointOperation = defineOperation({
  ...ADMIN,
  name: "test_event_endpoint",
  title: "Send a test event",
  description: "Sends a test event to an endpoint. The endpoint's log shows the result.",
  input: endpointInput,
  output: z.object({ delivery_id: z.uuid() }),
  run: (caller, input) => testEndpoint({ workspaceId: caller.workspaceId, endpointId: input.endpoint_id }),
});

const setEventMailOperation = defineOperation({
  ...ADMIN,
  name: "set_event_mail",
  title: "Choose email notifications",
  description: "Sets the events that approvers are notified of by email.",
  input: z.object({ events: eventsSchema }),
  output: eventMailSchema,
  run: (caller, input) => setMailEvents(caller.workspaceId, input.events, actorOf(caller)),
});

const listEventDeliveriesOperation = defineOperation({
  ...ADMIN,
  name: "list_event_deliveries",
  title: "List deliveries",
  description: "Lists the deliveries to an endpoint with every attempt.",
  input: endpointInput.extend(pageInput),
  output: wirePageOf(eventDeliverySchema),
  run: (caller, { endpoint_id: endpointId, limit, cursor }) =>
    listEventDeliveries({ workspaceId: caller.workspaceId, endpointId }, { limit, cursor }),
});

const resendEventOperation = defineOperation({
  ...ADMIN,
  name: "resend_event",
  title: "Send again",
  description: "Sends a delivery again with the same id.",
  input: z.object({ delivery_id: z.uuid() }),
  output: eventDeliverySchema,
  run: (caller, input) => resendEvent(caller.workspaceId, input.delivery_id),
});

const listAlertRulesOperation = defineOperation({
  scope: "web",
  role: "viewer",
  name: "list_alert_rules",
  title: "List alert rules",
  description: "Lists the workspace's alert rules and the alerts that fired.",
  input: z.object({}),
  output: wireListOf(alertRuleSchema),
  run: async (caller) => ({ data: await readRules(db(), caller.workspaceId, null) }),
});

const createAlertRuleOperation = defineOperation({
  ...ADMIN,
  name: "create_alert_rule",
  title: "Create alert rule",
  description: "Creates a rule that alerts when a workflow fails repeatedly, fails too often or takes too long.",
  input: createAlertRuleInput,
  output: alertRuleSchema,
  run: (caller, input) =>
    createRule({
      workspaceId: caller.workspaceId,
      userId: caller.userId,
      actor: actorOf(caller),
      workflowId: input.workflow_id,
      kind: input.kind,
      threshold: input.threshold,
      windowMinutes: input.window_minutes,
      minRuns: input.min_runs,
    }),
});

const setAlertRuleOperation = defineOperation({
  ...ADMIN,
  name: "set_alert_rule",
  title: "Enable or disable an alert rule",
  description: "Enables or disables an alert rule.",
  input: z.object({ rule_id: z.uuid(), is_enabled: z.boolean() }),
  output: alertRuleSchema,
  run: (caller, input) =>
    setRule({ workspaceId: caller.workspaceId, ruleId: input.rule_id }, input.is_enabled, actorOf(caller)),
});

const deleteAlertRuleOperation = defineOperation({
  ...ADMIN,
  name: "delete_alert_rule",
  title: "Delete alert rule",
  description: "Deletes an alert rule.",
  input: z.object({ rule_id: z.uuid() }),
  output: z.object({ rule_id: z.uuid(), deleted: z.literal(true) }),
  run: (caller, input) => deleteRule({ workspaceId: caller.workspaceId, ruleId: input.rule_id }, actorOf(caller)),
});

/** All operations of this file, for the registry. */
export const OUTBOUND_EVENT_OPERATIONS = [
  listEventEndpointsOperation,
  createEventEndpointOperation,
  updateEventEndpointOperation,
  rotateEventSecretOperation,
  deleteEventEndpointOperation,
  testEventEndpointOperation,
  setEventMailOperation,
  listEventDeliveriesOperation,
  resendEventOperation,
  listAlertRulesOperation,
  createAlertRuleOperation,
  setAlertRuleOperation,
  deleteAlertRuleOperation,
] as const;
