import { watchEventLoop } from "#lib/platform/metrics/watch-event-loop";

/** Measures how late the turns of the web process are, from its start to its end. */
export function watchWebProcess(): void {
  watchEventLoop("web");
}
