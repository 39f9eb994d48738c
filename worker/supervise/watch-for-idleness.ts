import { log } from "#lib/platform/config/log";
import { boolean } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { IS_DUE_SUSPECT } from "#lib/platform/jobs/payloads";

const LOOK_MS = 1_000;
const IDLE_MS = 10_000;

/** Calls back once no suspect run was due for ten seconds, so that the quarantine worker can end. */
export function watchForIdleness(onIdle: () => void): void {
  let busyAt = performance.now();
  let isOver = false;
  const timer = setInterval(() => {
    hasSuspects()
      .then((isBusy) => {
        // A slow database can answer several checks after the ten seconds.
        if (isOver) return;
        if (isBusy) busyAt = performance.now();
        else if (performance.now() - busyAt > IDLE_MS) {
          isOver = true;
          clearInterval(timer);
          onIdle();
        }
      })
      .catch((error: unknown) => log.warn({ err: error }, "looking for suspect runs failed"));
  }, LOOK_MS);
}

const lookForSuspects = defineStatement({
  name: "has_suspects",
  row: { found: boolean },
  sql: `select exists (select 1 from run_queue where ${IS_DUE_SUSPECT}) as found`,
});

async function hasSuspects(): Promise<boolean> {
  return (await lookForSuspects.one(db())).found;
}
