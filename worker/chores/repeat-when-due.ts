import { log } from "#lib/platform/config/log";

/** Items that another worker has just taken must not be asked for in a tight loop. */
const WAIT_MIN_MS = 20;

interface DueWork {
  /** For the log, as in "looking for due schedules". */
  name: string;
  /**
   * Does the work that is due.
   * @returns ms until the next look, or null to rest until `wake`
   */
  turn(): Promise<number | null>;
  /** After a failed turn. */
  retryMs: number;
  /** Before the first turn. */
  firstMs?: number;
}

export interface Repeated {
  /** Looks at once, or after the turn that is under way. */
  wake(): void;
  /** Resolves when the turn that is under way has ended. */
  stop(): Promise<void>;
}

/** Repeats the work, each time when the previous turn asked for it. */
export function repeatWhenDue({ name, turn, retryMs, firstMs = WAIT_MIN_MS }: DueWork): Repeated {
  let timer: NodeJS.Timeout | undefined = setTimeout(look, firstMs);
  let turning: Promise<void> | null = null;
  let isWanted = false;
  let isStopped = false;

  function look(): void {
    isWanted = false;
    timer = undefined;
    turning = turn()
      .catch((error: unknown) => {
        log.warn({ err: error }, `${name} failed`);
        return retryMs;
      })
      .then((waitMs) => {
        turning = null;
        if (isStopped) return;
        if (isWanted) timer = setTimeout(look, 0);
        else if (waitMs !== null) timer = setTimeout(look, Math.max(WAIT_MIN_MS, waitMs));
      });
  }

  return {
    wake: () => {
      isWanted = true;
      if (turning || isStopped) return;
      clearTimeout(timer);
      timer = setTimeout(look, 0);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await turning;
    },
  };
}
