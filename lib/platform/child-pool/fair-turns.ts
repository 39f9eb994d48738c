/** How many calls run and wait at once. */
export interface TurnRules {
  /** Calls of all workspaces that run at once. */
  shared: number;
  /** Calls that may run in addition. Each is the only running call of its workspace. */
  reserved: number;
  /** Calls of one workspace that run at once, even while no other workspace waits. No limit if it is not set. */
  perWorkspace?: number | undefined;
  /** Calls that may wait, per workspace. */
  queuedCalls: number;
  /** The size of the calls that may wait, per workspace. */
  queuedBytes: number;
}

export interface QueuedCall {
  workspaceId: string;
  bytes: number;
}

interface Workspace<Call> {
  waiting: Set<Call>;
  waitingBytes: number;
  running: number;
}

export interface FairTurns<Call> {
  /** @returns false if the workspace has too many calls waiting; the call does not join then */
  join(call: Call): boolean;
  /** Removes a call that waits and no longer needs a turn. */
  leave(call: Call): void;
  /** Gives a turn to the next call; null if none waits, or none may run yet. */
  next(): Call | null;
  /** Ends a turn. */
  end(call: Call): void;
  waiting(): number;
  running(): number;
}

/**
 * Decides which call runs next: a call of the workspace with the fewest running calls, and among these of the one that
 * has waited longest for a turn. The age of single calls does not count, because the oldest of a thousand calls would
 * always win. A workspace gets a second running call only while no workspace waits for its first.
 */
export function openTurns<Call extends QueuedCall>(rules: TurnRules): FairTurns<Call> {
  const workspaces = new Map<string, Workspace<Call>>();
  /** The workspaces that wait, in the order in which they joined or had their last turn. */
  const ring = new Map<string, Workspace<Call>>();
  const total = { running: 0, waiting: 0 };

  function remove(call: Call): Workspace<Call> | null {
    const workspace = workspaces.get(call.workspaceId);
    if (!workspace?.waiting.delete(call)) return null;
    workspace.waitingBytes -= call.bytes;
    total.waiting -= 1;
    if (workspace.waiting.size === 0) ring.delete(call.workspaceId);
    return workspace;
  }

  function forgetIfUnused(id: string): void {
    const workspace = workspaces.get(id);
    if (workspace?.running === 0 && workspace.waiting.size === 0) workspaces.delete(id);
  }

  return {
    join(call) {
      const workspace = workspaces.get(call.workspaceId) ?? { waiting: new Set(), waitingBytes: 0, running: 0 };
      if (!hasRoom(workspace, call, rules)) return false;
      workspaces.set(call.workspaceId, workspace);
      workspace.waiting.add(call);
      workspace.waitingBytes += call.bytes;
      total.waiting += 1;
      ring.set(call.workspaceId, workspace);
      return true;
    },
    leave(call) {
      if (remove(call)) forgetIfUnused(call.workspaceId);
    },
    next() {
      const workspace = fewestRunning(ring.values());
      if (!workspace || total.running >= rules.shared + (workspace.running === 0 ? rules.reserved : 0)) return null;
      if (workspace.running >= (rules.perWorkspace ?? Number.POSITIVE_INFINITY)) return null;
      const [call] = workspace.waiting;
      if (!call || !remove(call)) return null;
      workspace.running += 1;
      total.running += 1;
      // The others are before it now.
      if (ring.delete(call.workspaceId)) ring.set(call.workspaceId, workspace);
      return call;
    },
    end({ workspaceId }) {
      const workspace = workspaces.get(workspaceId);
      if (!workspace) return;
      workspace.running -= 1;
      total.running -= 1;
      forgetIfUnused(workspaceId);
    },
    waiting: () => total.waiting,
    running: () => total.running,
  };
}

/** A call that is larger than the bound may wait alone. */
function hasRoom(workspace: Workspace<unknown>, { bytes }: QueuedCall, rules: TurnRules): boolean {
  const { waiting, waitingBytes } = workspace;
  if (waiting.size === 0) return true;
  return waiting.size < rules.queuedCalls && waitingBytes + bytes <= rules.queuedBytes;
}

function fewestRunning<Call>(workspaces: Iterable<Workspace<Call>>): Workspace<Call> | null {
  let found: Workspace<Call> | null = null;
  for (const workspace of workspaces) if (!found || workspace.running < found.running) found = workspace;
  return found;
}
