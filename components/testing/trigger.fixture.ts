import type { DeliveryObject, EventTestObject, ListeningObject, TriggerObject } from "#lib/contract/trigger/trigger";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";

/** Returns an active webhook without a secret. */
export function sampleTrigger(changes: Partial<TriggerObject> = {}): TriggerObject {
  return {
    subscription_id: idOf(40),
    workflow_id: idOf(41),
    kind: "webhook",
    status: "active",
    url: "https://signalbox.example/hooks/abc",
    scheme: null,
    next_at: null,
    last_at: null,
    missed: 0,
    listening: null,
    last_delivery: null,
    ...changes,
  };
}

/** Returns the state of a service whose events arrive. */
export function sampleListening(changes: Partial<ListeningObject> = {}): ListeningObject {
  return {
    connector: "shop",
    event: "order_created",
    connection_id: idOf(42),
    mode: "webhook",
    status: "active",
    error: null,
    failing_since: null,
    retry_at: null,
    last_at: null,
    ...changes,
  };
}

export function triggerDelivery(changes: Partial<DeliveryObject> = {}): DeliveryObject {
  return {
    delivery_id: idOf(43),
    verdict: "accepted",
    received_at: secondsAgo(60),
    detail: null,
    bytes: 512,
    run_id: idOf(44),
    ...changes,
  };
}

/** Returns an event test that is not listening. */
export function eventTest(changes: Partial<EventTestObject> = {}): EventTestObject {
  return {
    url: "https://signalbox.example/hooks/test/abc",
    remaining_ms: null,
    problem: null,
    received_at: null,
    output: null,
    ...changes,
  };
}
