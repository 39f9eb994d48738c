import { askChild, type PoolChild } from "#lib/platform/child-pool/ask-child";
import { openTurns } from "#lib/platform/child-pool/fair-turns";
import { type PausedStarts, pauseStarts } from "#lib/platform/child-pool/pause-starts";
import { PoolError } from "#lib/platform/child-pool/pool-error";
import { type ChildStock, type StockedChild, stockChildren } from "#lib/platform/child-pool/stock-children";

interface PoolOptions {
  /** Starts a child. When it resolves, the child is ready for a call. */
  start(): Promise<PoolChild>;
  /**
   * `shared` run calls of all workspaces, `reserved` more only the first call of a workspace. `perWorkspace` limits the
   * calls of one workspace that run at once.
   */
  children: { shared: number; reserved: number; perWorkspace?: number };
  /** What may wait, per workspace. */
  queue: { calls: number; bytes: number };
  /** After this many calls another child takes its place. */
  callsPerChild: number;
  /** How much later than its own limits a child is killed. */
  killMs: number;
}

/** One call. */
export interface PoolCall {
  workspaceId: string;
  message: object;
  /** About how much memory the call takes while it waits. */
  bytes: number;
  /** CPU time: the limit of what the call may compute. */
  cpuMs: number;
  /** On the clock, from the turn. It only ends calls that the CPU time does not end, for example on a busy machine. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Called when the call's turn comes. */
  onTurn?: (() => void) | undefined;
}

/** The answer of a child. */
interface PoolReply {
  /** True when the child must not be used again. */
  isWorn: boolean;
}

export interface FairPool<Reply> {
  /**
   * Runs a call alone in a child process. Calls that may not run yet wait for their turn. Aborting a call ends its
   * child. A call has no effect outside its child, so it runs again in another one if the system kills its child.
   * @throws the signal's reason, or PoolError
   */
  run(call: PoolCall): Promise<Reply>;
  load(): { running: number; waiting: number; children: number };
}

/** A call that waits, first for its turn and then for a child. */
interface Entry {
  workspaceId: string;
  bytes: number;
  take(child: StockedChild): void;
  fail(error: unknown): void;
}

/** Opens a pool of child processes that workspaces share fairly. Children start when calls need them. */
export function openFairPool<Reply extends PoolReply>(options: PoolOptions): FairPool<Reply> {
  const { start, children, queue, callsPerChild, killMs } = options;
  const turns = openTurns<Entry>({ ...children, queuedCalls: queue.calls, queuedBytes: queue.bytes });
  // One child more than are shared is kept ready for the first call of a workspace that finds the others busy.
  const kept = children.shared + Math.min(children.reserved, 1);
  const starts = pauseStarts(start, advance);
  const stock = stockChildren({ start: starts.start, kept, onReady: advance, onStartFailed });
  /** Calls that have their turn and wait for a child. */
  const called: Entry[] = [];

  /** Gives turns to calls and children to turns, and starts the children that are missing. */
  function advance(): void {
    for (let entry = turns.next(); entry; entry = turns.next()) called.push(entry);
    while (called.length > 0) {
      const child = stock.take();
      if (!child) break;
      called.shift()?.take(child);
    }
    const wanted = Math.max(turns.running(), turns.running() >= children.shared ? kept : 0);
    startMissing(wanted, called.length > 0, { starts, stock });
    stock.trim();
  }

  function onStartFailed(cause: unknown): void {
    for (const entry of starts.isHopeless() ? called.splice(0) : []) {
      turns.end(entry);
      entry.fail(new PoolError("not_started", "The process could not be started", { cause }));
    }
    advance();
  }

  function join(entry: Entry): boolean {
    const isIn = turns.join(entry);
    if (isIn) advance();
    return isIn;
  }

  function leave(entry: Entry): void {
    const index = called.indexOf(entry);
    if (index < 0) {
      turns.leave(entry);
      return;
    }
    called.splice(index, 1);
    turns.end(entry);
    advance();
  }

  async function runOnce(call: PoolCall): Promise<Reply> {
    call.signal.throwIfAborted();
    const [child, entry] = await waitForChild(call, join, leave);
    child.calls += 1;
    let isWorn = true;
    try {
      call.onTurn?.();
      const { reply, isLow } = await askChild<Reply>(child.process, call.message, { ...call, killMs });
      isWorn = reply.isWorn || isLow || child.calls >= callsPerChild;
      return reply;
    } finally {
      turns.end(entry);
      if (isWorn) stock.retire(child);
      else stock.put(child);
      advance();
    }
  }

  return {
    run: (call) => repeatIfKilled(call, runOnce),
    load: () => ({ running: turns.running(), waiting: turns.waiting(), children: stock.size() }),
  };
}

/** While starts fail, children start one at a time and after pauses, so that a busy machine gets no more work. */
function startMissing(
  wanted: number,
  isCalled: boolean,
  { starts, stock }: { starts: PausedStarts; stock: ChildStock },
): void {
  if (!starts.isFailing()) {
    stock.growTo(wanted);
    return;
  }
  // A spare child has no call, so only a pause ends its starts. A call waits for one more start, but not for a pause.
  const mayStart = !starts.isPaused() || (starts.isHopeless() && isCalled);
  if (mayStart && !stock.isStarting()) stock.growTo(Math.min(wanted, stock.size() + 1));
}

/** A waiting call keeps this process alive; the children do not. */
function waitForChild(
  { workspaceId, bytes, signal }: PoolCall,
  join: (entry: Entry) => boolean,
  leave: (entry: Entry) => void,
): Promise<[StockedChild, Entry]> {
  return new Promise((resolve, reject) => {
    const alive = setInterval(() => {}, 60_000);
    const settle = (act: () => void) => {
      clearInterval(alive);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const entry: Entry = {
      workspaceId,
      bytes,
      take: (child) => settle(() => resolve([child, entry])),
      fail: (error) => settle(() => reject(error)),
    };
    const onAbort = () => {
      entry.fail(signal.reason);
      leave(entry);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (!join(entry)) entry.fail(new PoolError("crowded", "Too many calls of the workspace are waiting"));
  });
}

/** A call that makes the system run out of memory would do so every time. */
const ATTEMPTS = 3;

/**
 * Runs a call again if the system killed its child. A call has no effect outside its child, so the caller sees no difference.
 * @param runOnce starts with the call's turn
 */
async function repeatIfKilled<Reply>(call: PoolCall, runOnce: (call: PoolCall) => Promise<Reply>): Promise<Reply> {
  const { onTurn } = call;
  let turnMs: number | null = null;
  for (let killed = 1; ; killed += 1) {
    const usedMs = turnMs === null ? 0 : performance.now() - turnMs;
    const timeoutMs = Math.max(0, call.timeoutMs - usedMs);
    try {
      return await runOnce({
        ...call,
        timeoutMs,
        onTurn: () => {
          if (turnMs === null) onTurn?.();
          turnMs ??= performance.now();
        },
      });
    } catch (error) {
      if (!(error instanceof PoolError && error.kind === "killed") || killed >= ATTEMPTS) throw error;
    }
  }
}
