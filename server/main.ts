import { flushCompileCache } from "node:module";
import { checkSettings } from "#lib/api/edge/check-settings";
import { createEdgeServer } from "#lib/api/edge/create-edge-server";
import { watchWebProcess } from "#lib/api/edge/watch-web-process";
import { endWebTelemetry, startWebTelemetry } from "#lib/api/edge/web-telemetry";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { returnMemoryWhenIdle } from "#lib/platform/config/return-memory";
import { endOpenAnswers, startDraining } from "#lib/platform/config/web-shutdown";
import { openPages, type Pages } from "#server/pages";

const { HOST, PORT, WEB_DRAIN_SECONDS } = env();
/** While it stops, between two looks for connections without a request. */
const IDLE_CHECK_MS = 50;
const isDevelopment = process.argv.includes("--development");

await startWebTelemetry();
let pages: Pages | null = null;
const server = createEdgeServer(async (incoming, outgoing) => (pages ?? (await ready)).answer(incoming, outgoing), {
  isDevelopment,
});
server.once("error", (error) => {
  log.fatal({ err: error }, "the web server cannot listen");
  process.exit(1);
});
// It listens first and answers when the application is ready.
server.listen(PORT, HOST);
const ready = Promise.all([openPages(isDevelopment ? server : null), checkSettings()]).then(([opened]) => opened);
ready.then(
  (opened) => {
    pages = opened;
    returnMemoryWhenIdle();
    // A development server also compiles pages in its event loop.
    if (!isDevelopment) watchWebProcess();
    flushCompileCache();
  },
  (error: unknown) => {
    log.fatal({ err: error }, "the web server cannot start");
    process.exit(1);
  },
);

/** Load balancers notice that it stops, and then open requests end. The launcher ends the process if they take too long. */
function stop(): void {
  startDraining();
  setTimeout(close, isDevelopment ? 0 : WEB_DRAIN_SECONDS * 1_000);
}

function close(): void {
  endOpenAnswers();
  server.close(() => {
    void ready
      .then((opened) => opened.close())
      .then(endWebTelemetry)
      .finally(() => process.exit(0));
  });
  // A connection that had a request in flight stays open for the next one.
  setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  if (isDevelopment) server.closeAllConnections();
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
