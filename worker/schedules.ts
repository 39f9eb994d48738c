import { log } from "#lib/config/log";
import { fireDueSchedules, LOOK_AHEAD_MS } from "#lib/triggers/fire-due-schedules";

/** What somebody else has just taken must not be asked for in a tight loop. */
const WAIT_MIN_MS = 20;

/** Fires schedules from now on: looks at the moment the next one is due, and once a second for those that came up since. */
export function startSchedules(): { stop(): void } {
  let timer: NodeJS.Timeout | null = setTimeout(turn, WAIT_MIN_MS);
  function turn(): void {
    void fireDueSchedules()
      .then(({ waitMs }) => waitMs)
      .catch((error: unknown) => {
        log.warn({ err: error }, "looking for due schedules failed");
        return LOOK_AHEAD_MS;
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
