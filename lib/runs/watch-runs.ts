import pg from "pg";
import { env } from "#lib/config/env";
import { log } from "#lib/config/log";
import { connectionOptions } from "#lib/db/pool";

/** The worker's notice: comma-joined `<workspace_id>:<run_id>` of runs that changed. */
export const RUNS_CHANNEL = "runs_changed";

const RECONNECT_MIN_MS = 200;
const RECONNECT_MAX_MS = 5_000;
/** A connection that died without a word (a lost network, a failover) is noticed within this time. */
const PING_MS = 15_000;
const PING_TIMEOUT_MS = 5_000;

interface Watcher {
  workspaceId: string;
  onChange: (runId: string) => void;
  onResync: (() => void) | undefined;
}

interface Hub {
  watchers: Set<Watcher>;
  /** Settles when the connection listens; null while nobody watches. */
  listening: Promise<pg.Client> | null;
}

// `next dev` loads modules anew on every change; the connection outlives them.
const shared = globalThis as { signalboxRunHub?: Hub };

function hub(): Hub {
  shared.signalboxRunHub ??= { watchers: new Set(), listening: null };
  return shared.signalboxRunHub;
}

/**
 * Calls `onChange` with the id of every run of the workspace that changed, from the moment the promise settles.
 * One LISTEN connection serves the whole process; it exists while somebody watches.
 * @param onResync called after the connection was lost and made again: changes in between were missed, read anew
 * @returns stops watching
 * @throws Error when the database cannot be reached
 */
export async function watchRuns(
  workspaceId: string,
  onChange: (runId: string) => void,
  onResync?: () => void,
): Promise<() => void> {
  const { watchers } = hub();
  const watcher: Watcher = { workspaceId, onChange, onResync };
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
  const state = hub();
  state.listening ??= connect().catch((error: unknown) => {
    state.listening = null;
    throw error;
  });
  return state.listening;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions(env().DATABASE_URL), query_timeout: PING_TIMEOUT_MS });
  client.on("notification", ({ payload }) => publish(payload ?? ""));
  client.on("error", (error) => log.warn({ err: error }, "the connection that listens for runs was lost"));
  await client.connect();
  await client.query(`listen ${RUNS_CHANNEL}`);
  const ping = setInterval(() => {
    client.query("select 1").catch(() => client.end().catch(() => undefined));
  }, PING_MS);
  ping.unref();
  client.once("end", () => {
    clearInterval(ping);
    const state = hub();
    state.listening = null;
    if (state.watchers.size > 0) void reconnect(RECONNECT_MIN_MS);
  });
  return client;
}

async function reconnect(delayMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  const { watchers, listening } = hub();
  // Nobody is left to tell, or a new watcher has made the connection; it knows nothing of the gap, so all are told.
  if (watchers.size === 0) return;
  try {
    await (listening ?? listen());
    for (const watcher of [...watchers]) watcher.onResync?.();
  } catch (error) {
    log.debug({ err: error }, "still no connection to listen for runs");
    await reconnect(Math.min(delayMs * 2, RECONNECT_MAX_MS));
  }
}

function publish(payload: string): void {
  for (const pair of payload.split(",")) {
    const [workspaceId, runId] = pair.split(":");
    if (!workspaceId || !runId) continue;
    for (const watcher of hub().watchers) if (watcher.workspaceId === workspaceId) watcher.onChange(runId);
  }
}

function closeWhenIdle(): void {
  const { listening } = hub();
  listening
    ?.then((client) => {
      // Somebody may have come while the connection was still being made.
      if (hub().watchers.size === 0) return client.end();
    })
    .catch(() => undefined);
}
