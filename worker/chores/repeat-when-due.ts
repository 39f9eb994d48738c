import { log } from "#lib/platform/config/log";

/** What others have just taken must not be asked for in a tight loop. */
const WAIT_MIN_MS = 20;

interface DueWork {
  /** For the log, as in "looking for due schedules". */
  name: string;
  /** Does what is due. @returns ms until it wants to look again */
  turn(): Promise<number>;
  /** After a turn that failed. */
  retryMs: number;
}

/** Does it from now on, each time when the turn before it said. */
export function repeatWhenDue({ name, turn, retryMs }: DueWork): { stop(): void } {
  let timer: NodeJS.Timeout | null = setTimeout(look, WAIT_MIN_MS);
  function look(): void {
    void turn()
      .catch((error: unknown) => {
        log.warn({ err: error }, `${name} failed`);
        return retryMs;
      })
      .then((waitMs) => {
        if (timer) timer = setTimeout(look, Math.max(WAIT_MIN_MS, waitMs));
      });
  }
  return {
    stop: () => {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}
