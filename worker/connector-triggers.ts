import { log } from "#lib/config/log";
import type { SendRequest } from "#lib/engine/outgoing-request";
import { LISTENERS_LOOK_MS, tendListeners } from "#lib/triggers/tend-listeners";

/** What others have just taken must not be asked for in a tight loop. */
const WAIT_MIN_MS = 20;

/** Sees to connector triggers from now on: asks services for their events, and polls those that are polled. */
export function startConnectorTriggers(send: SendRequest): { stop(): void } {
  let timer: NodeJS.Timeout | null = setTimeout(turn, WAIT_MIN_MS);
  function turn(): void {
    void tendListeners(send)
      .catch((error: unknown) => {
        log.warn({ err: error }, "looking for due connector triggers failed");
        return LISTENERS_LOOK_MS;
      })
      .then((waitMs) => {
        if (timer) timer = setTimeout(turn, Math.max(WAIT_MIN_MS, waitMs));
      });
  }
  return {
    stop: () => {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}
