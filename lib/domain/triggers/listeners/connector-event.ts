import { findTrigger } from "#lib/connectors/registry";
import type { ConnectorEvent } from "#lib/connectors/sdk/define-trigger";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { collectPaths, eventInput, noteTexts } from "#lib/core/input/numbers-as-text";
import { prepareInput } from "#lib/core/redaction/sanitize";
import type { TriggerEvent } from "#lib/domain/triggers/deliveries/accept-event";
import type { Listened } from "#lib/domain/triggers/listeners/find-listened";
import type { Listener } from "#lib/domain/triggers/listeners/listener";
import { exceedsJsonDepth } from "#lib/support/json";

/** `data` is nested in the run's input below `output.data`. */
const DATA_DEPTH = LIMITS.jsonDepth - 2;
/** The same as the age of the delivery log. */
const DEDUPE_HOURS = LIMITS.deliveryLogDays * 24;

/** Reports whether a trigger asked for this event. */
export function wants({ event, params }: Listened, connector: string, happened: ConnectorEvent): boolean {
  if (event !== happened.event) return false;
  return findTrigger(connector, event)?.matches?.(happened.data, params) ?? true;
}

/** How an event arrived. */
export interface Arrival {
  receivedAt: Date;
  /** The numbers in what the service sent that became texts. A vendor may move them on the way to its event. */
  longNumbers: ReadonlySet<string>;
}

/** Builds the event that starts a workflow (decisions, Connector events). */
export function toTriggerEvent(
  listener: Listener,
  { subscription }: Listened,
  { event, id, occurredAt, data: given }: ConnectorEvent,
  { receivedAt, longNumbers }: Arrival,
): TriggerEvent {
  const data = exceedsJsonDepth(given, DATA_DEPTH) ? { too_deep: true } : given;
  const numbers = collectPaths("trigger.output.data");
  noteTexts(data, longNumbers, numbers.note);
  const output: JsonObject = {
    event,
    id,
    occurred_at: occurredAt?.toISOString() ?? null,
    received_at: receivedAt.toISOString(),
    connector: listener.connector,
    connection_id: listener.connectionId,
    data,
  };
  return {
    subscription,
    source: "webhook",
    input: prepareInput(eventInput(output, numbers.paths)),
    dedupeKey: `${listener.connectionId}|${event}|${id}`,
    dedupeHours: DEDUPE_HOURS,
    facts: { detail: `${listener.connector}: ${event} ${id}`.slice(0, 200) },
    overLimit: "fail",
  };
}
