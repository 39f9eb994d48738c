import { watchDatabaseWaits } from "#lib/platform/metrics/watch-database-waits";
import { type OnTurn, watchEventLoop } from "#lib/platform/metrics/watch-event-loop";

/** Measures how late the turns of this process are, and its waits for a connection. */
export function watchProcess(kind: "web" | "worker", onTurn?: OnTurn): void {
  watchEventLoop(kind, onTurn);
  watchDatabaseWaits(kind);
}
