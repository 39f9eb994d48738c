import { watchProcess } from "#lib/platform/metrics/watch-process";

/** Measures the web process from its start to its end. */
export function watchWebProcess(): void {
  watchProcess("web");
}
