import { watchRuns } from "#lib/domain/runs/notify/watch-runs";
import { log } from "#lib/platform/config/log";
import { keepConnections } from "#lib/platform/db/keep-connections";
import { db } from "#lib/platform/db/pool";
import { watchProcess } from "#lib/platform/metrics/watch-process";

/** The statements of requests at the same moment go out together, so ten calls at once need no more. */
const KEPT_CONNECTIONS = 4;
/** No run belongs to it. */
const NO_WORKSPACE = "";

/** Measures the web process from its start to its end, and keeps the connections that calls need after a quiet time. */
export function watchWebProcess(): void {
  watchProcess("web");
  keepConnections(db(), KEPT_CONNECTIONS);
  listenAlways();
}

/** A first caller that waits for a run must not wait for the connection that listens. */
function listenAlways(): void {
  watchRuns(NO_WORKSPACE, () => {}).catch((error: unknown) => {
    log.debug({ err: error }, "cannot listen for runs; the first caller that waits opens the connection");
  });
}
