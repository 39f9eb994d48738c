import type { PoolChild } from "#lib/platform/child-pool/ask-child";

export interface StockedChild {
  process: PoolChild;
  /** The calls it has taken. */
  calls: number;
  /** It has ended or is about to. No call gets it any more. */
  isOver: boolean;
}

/** Idle children leave after this long without a call. Starting them again takes 0.4 s of CPU time for each. */
const REST_MS = 60_000;

interface StockOptions {
  start(): Promise<PoolChild>;
  /** How many children are kept when they are idle. What was started for a rush ends with it. */
  kept: number;
  /** The time without a call after which none is kept. */
  restMs?: number;
  onReady(): void;
  onStartFailed(error: unknown): void;
}

export interface ChildStock {
  /** Takes an idle child; null if there is none. */
  take(): StockedChild | null;
  /** Returns a child after its call. */
  put(child: StockedChild): void;
  /** Ends a child. */
  retire(child: StockedChild): void;
  /** Starts children until there are this many. */
  growTo(count: number): void;
  /** Ends the idle children that are not kept. */
  trim(): void;
  size(): number;
  isStarting(): boolean;
}

/** Starts, keeps and ends the children of a pool. */
export function stockChildren(options: StockOptions): ChildStock {
  const { start, kept, restMs = REST_MS, onReady, onStartFailed } = options;
  const idle: StockedChild[] = [];
  let resting: NodeJS.Timeout | undefined;
  let starting = 0;
  let started = 0;

  function add(): void {
    starting += 1;
    start().then(
      (process) => {
        starting -= 1;
        started += 1;
        const child: StockedChild = { process, calls: 0, isOver: false };
        process.on("exit", () => forget(child));
        idle.push(child);
        restLater();
        onReady();
      },
      (error: unknown) => {
        starting -= 1;
        onStartFailed(error);
      },
    );
  }

  /** @returns false if it was forgotten before */
  function remove(child: StockedChild): boolean {
    if (child.isOver) return false;
    child.isOver = true;
    started -= 1;
    const index = idle.indexOf(child);
    if (index >= 0) idle.splice(index, 1);
    return true;
  }

  /**
   * Replaces a child that has ended: there was work, so there will be more, and the next call should not wait for a
   * start.
   */
  function forget(child: StockedChild): void {
    if (remove(child) && child.calls > 0 && started + starting < kept) add();
  }

  function retire(child: StockedChild): void {
    forget(child);
    child.process.kill("SIGKILL");
  }

  /** Starts the time without a call again. */
  function restLater(): void {
    clearTimeout(resting);
    resting = setTimeout(rest, restMs).unref();
  }

  function rest(): void {
    // A child that works comes back and starts the time again.
    for (const child of [...idle]) {
      remove(child);
      child.process.kill("SIGKILL");
    }
  }

  return {
    take() {
      for (;;) {
        const child = idle.pop();
        // A child that ended at this very moment removes itself.
        if (!child || child.process.connected) return child ?? null;
      }
    },
    put(child) {
      if (child.isOver) return;
      idle.push(child);
      restLater();
    },
    retire,
    growTo(count) {
      while (started + starting < count) add();
    },
    trim() {
      for (const child of idle.slice(kept)) retire(child);
    },
    size: () => started + starting,
    isStarting: () => starting > 0,
  };
}
