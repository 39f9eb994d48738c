import { log } from "#lib/platform/config/log";
import { db } from "#lib/platform/db/pool";

const LOOK_MS = 1_000;
const IDLE_MS = 10_000;

/** Calls back once no suspect run has been there for ten seconds: the quarantine worker may go. */
export function watchForIdleness(onIdle: () => void): void {
  let busyAt = performance.now();
  const timer = setInterval(() => {
    hasSuspects()
      .then((isBusy) => {
        if (isBusy) busyAt = performance.now();
        else if (performance.now() - busyAt > IDLE_MS) {
          clearInterval(timer);
          onIdle();
        }
      })
      .catch((error: unknown) => log.warn({ err: error }, "looking for suspect runs failed"));
  }, LOOK_MS);
}

async function hasSuspects(): Promise<boolean> {
  const { rows } = await db().query<{ found: boolean }>({
    name: "has_suspects",
    text: "select exists (select 1 from runs where stalled >= 2 and status in ('accepted', 'running')) as found",
  });
  return rows[0]?.found ?? false;
}
