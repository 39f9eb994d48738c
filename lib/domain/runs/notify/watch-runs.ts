import type pg from "pg";
import type { WorkflowNotice } from "#lib/contract/workflow/presence";
import { RUNS_CHANNEL } from "#lib/domain/runs/notify/notify-runs";
import { parseWorkflowNotice, WORKFLOWS_CHANNEL } from "#lib/domain/workflows/notify-workflow";
import { log } from "#lib/platform/config/log";
import { connectClient } from "#lib/platform/db/connect-client";
import { sessionOptions } from "#lib/platform/db/connection-options";
import { listenOn, ping } from "#lib/platform/db/listen";
import { shareInProcess } from "#lib/support/share-in-process";

const RECONNECT_MIN_MS = 200;
const RECONNECT_MAX_MS = 5_000;
/** A connection that died silently (a lost network, a failover) is noticed within this time. */
const PING_MS = 15_000;
const PING_TIMEOUT_MS = 5_000;

interface Watcher {
  workspaceId: string;
  onChange: (runId: string) => void;
  onResync: (() => void) | undefined;
  onWorkflow: ((notice: WorkflowNotice) => void) | undefined;
}

interface Hub {
  watchers: Set<Watcher>;
  /** Settles when the connection listens; null while there is no watcher. */
  listening: Promise<pg.Client> | null;
}

const hub = shareInProcess("run-hub", (): Hub => ({ watchers: new Set(), listening: null }));

/**
 * Calls `onChange` with the id of every run of the workspace that changed, from the moment the promise settles. One
 * LISTEN connection serves the whole process and exists while there is a watcher.
 * @param onResync called after the connection was lost and opened again: changes in between were missed, so read
 * everything again
 * @param onWorkflow reports, over the same connection, who has which workflow open and who changed it
 * @returns a function that stops watching
 * @throws Error if the database can't be reached
 */
export async function watchRuns(
  workspaceId: string,
  onChange: (runId: string) => void,
  onResync?: () => void,
  onWorkflow?: (notice: WorkflowNotice) => void,
): Promise<() => void> {
  const { watchers } = hub;
  const watcher: Watcher = { workspaceId, onChange, onResync, onWorkflow };
  watchers.add(watcher);
  const stop = () => {
    watchers.delete(watcher);
    if (watchers.size === 0) closeWhenIdle();
  };
  try {
    await listen();
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

function listen(): Promise<pg.Client> {
  const state = hub;
  if (state.listening) return state.listening;
  const listening = connect(() => {
    if (state.listening !== listening) return;
    state.listening = null;
    void reconnect(RECONNECT_MIN_MS);
  });
  state.listening = listening;
  listening.catch(() => {
    if (state.listening === listening) state.listening = null;
  });
  return listening;
}

/** @param onLost called once when the connection, after it had listened, ends for any reason */
async function connect(onLost: () => void): Promise<pg.Client> {
  const client = await connectClient({ ...sessionOptions(), query_timeout: PING_TIMEOUT_MS });
  client.on("notification", ({ channel, payload = "" }) =>
    channel === WORKFLOWS_CHANNEL ? publishNotice(payload) : publish(payload),
  );
  client.on("error", (error) => log.warn({ err: error }, "the connection that listens for runs was lost"));
  const end = () => client.end().catch(() => undefined);
  try {
    await listenOn(client, WORKFLOWS_CHANNEL);
    await listenOn(client, RUNS_CHANNEL);
  } catch (error) {
    await end();
    throw error;
  }
  const pinging = setInterval(() => void ping(client).catch(end), PING_MS);
  pinging.unref();
  client.once("end", () => {
    clearInterval(pinging);
    onLost();
  });
  return client;
}

async function reconnect(delayMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  const { watchers } = hub;
  if (watchers.size === 0) return;
  try {
    // A new watcher may have opened the connection in between. It knows nothing of the gap, so all watchers are
    // notified.
    await listen();
    for (const watcher of [...watchers]) watcher.onResync?.();
  } catch (error) {
    log.debug({ err: error }, "cannot reconnect to listen for runs");
    await reconnect(Math.min(delayMs * 2, RECONNECT_MAX_MS));
  }
}

function publish(payload: string): void {
  for (const pair of payload.split(",")) {
    const [workspaceId, runId] = pair.split(":");
    if (!workspaceId || !runId) continue;
    for (const watcher of hub.watchers) if (watcher.workspaceId === workspaceId) watcher.onChange(runId);
  }
}

function publishNotice(payload: string): void {
  const told = parseWorkflowNotice(payload);
  if (told === null) return;
  for (const watcher of hub.watchers) {
    if (watcher.workspaceId === told.workspaceId) watcher.onWorkflow?.(told.notice);
  }
}

function closeWhenIdle(): void {
  const state = hub;
  const { listening } = state;
  listening
    ?.then((client) => {
      // A watcher may have arrived while the connection was being opened.
      if (state.watchers.size > 0 || state.listening !== listening) return;
      // A watcher that arrives from here on opens a new connection.
      state.listening = null;
      return client.end();
    })
    .catch(() => undefined);
}
