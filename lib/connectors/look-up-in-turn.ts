import type { LookupAddress, LookupOptions } from "node:dns";
import { remember } from "#lib/support/sized-cache";

/** The lookups of one workspace that run at once. Each holds a thread of the process until a name server answers. */
const LOOKUPS_PER_WORKSPACE = 4;
/** Shorter than the usual lifetime of a DNS record, long enough for the calls of a loop. */
const KEPT_MS = 10_000;
const NAMES_KEPT = 1_000;

/** Returns every address of a name. */
export type NameLookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface NamesInTurn {
  isKnown(hostname: string): boolean;
  /** @throws what the lookup reports, or the signal's reason */
  find(hostname: string, workspaceId: string, signal: AbortSignal): Promise<void>;
  /** Returns known addresses at once, and looks up the others. */
  lookup: NameLookup;
}

interface Workspace {
  running: number;
  waiting: (() => void)[];
}

/**
 * Looks names up so that a workspace whose name servers never answer does not delay others: `getaddrinfo` blocks a
 * thread of the process for up to half a minute, and all workspaces share the threads.
 */
export function lookUpInTurn(resolve: NameLookup): NamesInTurn {
  const known = new Map<string, { addresses: LookupAddress[]; untilMs: number }>();
  const workspaces = new Map<string, Workspace>();

  function start(workspace: Workspace): Promise<void> | null {
    if (workspace.running < LOOKUPS_PER_WORKSPACE) {
      workspace.running += 1;
      return null;
    }
    return new Promise((next) => workspace.waiting.push(next));
  }

  function end(id: string, workspace: Workspace): void {
    const next = workspace.waiting.shift();
    if (next) next();
    else workspace.running -= 1;
    if (workspace.running === 0) workspaces.delete(id);
  }

  const recall = (hostname: string) => {
    const entry = known.get(hostname);
    return entry && entry.untilMs > performance.now() ? entry.addresses : null;
  };

  const ask = (hostname: string) =>
    new Promise<void>((done, fail) => {
      resolve(hostname, { all: true }, (error, addresses) => {
        if (error) return fail(error);
        remember(known, hostname, { addresses, untilMs: performance.now() + KEPT_MS }, NAMES_KEPT);
        done();
      });
    });

  async function findInTurn(hostname: string, id: string, signal: AbortSignal): Promise<void> {
    const workspace = workspaces.get(id) ?? { running: 0, waiting: [] };
    workspaces.set(id, workspace);
    await start(workspace);
    try {
      // Another call may have found it while this one waited.
      if (!signal.aborted && !recall(hostname)) await ask(hostname);
    } finally {
      end(id, workspace);
    }
  }

  return {
    isKnown: (hostname) => recall(hostname) !== null,
    find: (hostname, workspaceId, signal) =>
      // A lookup cannot be stopped, so its turn lasts until it ends, even if its caller has left.
      Promise.race([findInTurn(hostname, workspaceId, signal), rejectOnAbort(signal)]),
    lookup(hostname, options, callback) {
      const addresses = recall(hostname);
      if (addresses) callback(null, addresses);
      else resolve(hostname, options, callback);
    },
  };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
