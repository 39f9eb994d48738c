import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { LISTENERS_LOOK_MS, tendListeners } from "#lib/domain/triggers/listeners/tend-listeners";
import { repeatWhenDue } from "#worker/chores/repeat-when-due";

/** Sees to connector triggers from now on: asks services for their events, and polls those that are polled. */
export function startConnectorTriggers(send: SendRequest): { stop(): void } {
  return repeatWhenDue({
    name: "looking for due connector triggers",
    turn: () => tendListeners(send),
    retryMs: LISTENERS_LOOK_MS,
  });
}
