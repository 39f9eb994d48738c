import { log } from "#lib/platform/config/log";

/** Items that another worker has just taken must not be asked for in a tight loop. */
const WAIT_MIN_MS = 20;

interface DueWork {
  /** For the log, as in "looking for due schedules". */
  name: string;
  /**
   * Does the work that is due.
   * @returns ms until the next look
   */
  turn(): Promise<number>;
  /** After a failed turn. */
  retryMs: number;
}

/** Repeats the work from now on, each time when the previous turn asked for it. */
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
