import { shareInProcess } from "#lib/support/share-in-process";

/** The server and the bundle of Next.js share it. */
const state = shareInProcess("webShutdown", () => ({ isDraining: false, closing: new AbortController() }));

/** From now on `/readyz` answers 503, so that load balancers send no more requests. Requests are still answered. */
export function startDraining(): void {
  state.isDraining = true;
}

export function isDraining(): boolean {
  return state.isDraining;
}

/** Ends what would stay open for long: event streams, and callers that wait for a run. */
export function endOpenAnswers(): void {
  state.closing.abort();
}

/** Aborted when answers that stay open have to end. */
export function webClosing(): AbortSignal {
  return state.closing.signal;
}
