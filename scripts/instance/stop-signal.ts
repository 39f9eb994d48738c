import { isAlive } from "#scripts/instance/process-identity";

/** npm and the terminal may both forward one Ctrl-C to us. */
const SAME_PRESS_MS = 500;
const PARENT_POLL_MS = 1_000;

/**
 * Aborts when this process is asked to end: by Ctrl-C, SIGTERM, a closed terminal, or the death of the process that
 * launched it (after kill -9, npm cannot forward anything). At the second request, the process ends immediately. Its
 * children notice that by themselves.
 * @param launchedBy the process that we end with, or null if there is none
 */
export function stopSignal(launchedBy: number | null): AbortSignal {
  const controller = new AbortController();
  let askedAt = 0;
  const ask = () => {
    const now = performance.now();
    if (!controller.signal.aborted) {
      askedAt = now;
      controller.abort();
    } else if (now - askedAt > SAME_PRESS_MS) {
      process.exit(130);
    }
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, ask);
  if (launchedBy !== null) {
    const watch = setInterval(() => {
      if (isAlive(launchedBy)) return;
      clearInterval(watch);
      ask();
    }, PARENT_POLL_MS);
    watch.unref();
  }
  return controller.signal;
}
