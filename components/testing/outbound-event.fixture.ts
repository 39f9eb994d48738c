import type {
  AlertRuleObject,
  EndpointWithSecret,
  EventDeliveryObject,
  EventEndpointObject,
} from "#lib/contract/event/outbound-event";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";

/** Returns an endpoint that receives events. */
export function sampleEndpoint(changes: Partial<EventEndpointObject> = {}): EventEndpointObject {
  return {
    endpoint_id: idOf(1),
    name: "Pager",
    url: "https://pager.example/in",
    events: ["run.failed"],
    is_enabled: true,
    disabled_reason: null,
    failing_since: null,
    created_at: "2026-01-05T09:00:00.000Z",
    ...changes,
  };
}

export function endpointWithSecret(changes: Partial<EndpointWithSecret> = {}): EndpointWithSecret {
  return { ...sampleEndpoint(), secret: "whsec_c2lnbmFsYm94", ...changes };
}

/** Returns a delivery that the endpoint accepted at once. */
export function eventDelivery(changes: Partial<EventDeliveryObject> = {}): EventDeliveryObject {
  return {
    delivery_id: idOf(5),
    event_id: idOf(6),
    type: "run.failed",
    status: "succeeded",
    run_id: null,
    attempts: [{ at: secondsAgo(60), status: 204, latency_ms: 120, error: null }],
    next_attempt_at: null,
    created_at: secondsAgo(61),
    ...changes,
  };
}

/** Returns a rule for all workflows that has not fired. */
export function alertRule(changes: Partial<AlertRuleObject> = {}): AlertRuleObject {
  return {
    rule_id: idOf(7),
    workflow_id: null,
    workflow_name: null,
    kind: "failures_in_a_row",
    threshold: 3,
    window_minutes: 60,
    min_runs: 10,
    is_enabled: true,
    firing: [],
    ...changes,
  };
}
