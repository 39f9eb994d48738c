import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { LISTENERS_LOOK_MS, tendListeners } from "#lib/domain/triggers/listeners/tend-listeners";
import { repeatWhenDue } from "#worker/chores/repeat-when-due";

/** Runs connector triggers from now on: subscribes to the events of services, and polls those that need polling. */
export function startConnectorTriggers(send: SendRequest): { stop(): void } {
  return repeatWhenDue({
    name: "looking for due connector triggers",
    turn: () => tendListeners(send),
    retryMs: LISTENERS_LOOK_MS,
  });
}
