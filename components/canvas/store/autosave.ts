/** What the header says about the draft. `at` is in epoch milliseconds. */
export type SaveStatus =
  | { kind: "saved"; at: number }
  | { kind: "unsaved" }
  | { kind: "saving" }
  | { kind: "offline" }
  | { kind: "failed"; message: string }
  | { kind: "conflict" };

/** How a save went wrong: no network, somebody else saved first, or anything else. */
export interface SaveFailure {
  kind: "offline" | "conflict" | "failed";
  message: string;
}

export interface AutosavePorts<Draft> {
  read: () => Draft;
  /** Sends the draft over the revision it was made from; resolves with the new revision. */
  send: (draft: Draft, expectedRevision: number) => Promise<number>;
  classify: (error: unknown) => SaveFailure;
  /** Keeps a copy in this browser until a save is acknowledged. */
  keep: (draft: Draft, revision: number) => void;
  forget: () => void;
  onStatus: (status: SaveStatus) => void;
  now: () => number;
}

export interface Autosave {
  /** The document changed. */
  change: () => void;
  /** Saves now. Resolves with true once everything typed so far is on the server. */
  flush: () => Promise<boolean>;
  /** The draft now stands on another revision, saved there (`take theirs`) or to be saved over it (`keep mine`). */
  rebase: (revision: number, isSaved: boolean) => void;
  /** What is in memory, kept in this browser if the server does not have it: the page may be about to go. */
  keepLocally: () => void;
  revision: () => number;
  stop: () => void;
}

const DEBOUNCE_MS = 800;
const WAIT_MAX_MS = 5_000;
const RETRY_MS = [2_000, 5_000, 15_000, 30_000] as const;

interface Saving {
  /** Changes so far, and how many of them the server has. */
  changes: number;
  saved: number;
  dirtySince: number | null;
  revision: number;
  attempts: number;
  flight: Promise<boolean> | null;
  isBlocked: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Saves a draft behind the person's back: 800 ms after the last change, 5 s after the first at the latest, never two at
 * once. A conflict stops it until `rebase`, so that nobody's work is overwritten; offline it keeps trying.
 */
export function createAutosave<Draft>(ports: AutosavePorts<Draft>, revision: number): Autosave {
  const state: Saving = {
    changes: 0,
    saved: 0,
    dirtySince: null,
    revision,
    attempts: 0,
    flight: null,
    isBlocked: false,
    timer: undefined,
  };
  const isDirty = () => state.saved < state.changes;
  const schedule = (delayMs: number) => {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => void save(), delayMs);
  };

  async function attempt(): Promise<boolean> {
    const sending = state.changes;
    ports.onStatus({ kind: "saving" });
    try {
      state.revision = await ports.send(ports.read(), state.revision);
    } catch (error) {
      return fail(ports.classify(error));
    }
    state.saved = sending;
    state.attempts = 0;
    state.dirtySince = isDirty() ? ports.now() : null;
    if (isDirty()) {
      ports.onStatus({ kind: "unsaved" });
      schedule(DEBOUNCE_MS);
    } else {
      ports.forget();
      ports.onStatus({ kind: "saved", at: ports.now() });
    }
    return !isDirty();
  }

  function fail(failure: SaveFailure): boolean {
    ports.keep(ports.read(), state.revision);
    if (failure.kind === "conflict") {
      state.isBlocked = true;
      ports.onStatus({ kind: "conflict" });
      return false;
    }
    ports.onStatus(failure.kind === "offline" ? { kind: "offline" } : { kind: "failed", message: failure.message });
    schedule(RETRY_MS[Math.min(state.attempts, RETRY_MS.length - 1)] ?? DEBOUNCE_MS);
    state.attempts += 1;
    return false;
  }

  function save(): Promise<boolean> {
    clearTimeout(state.timer);
    if (state.flight !== null) return state.flight;
    if (state.isBlocked) return Promise.resolve(false);
    if (!isDirty()) return Promise.resolve(true);
    state.flight = attempt().finally(() => {
      state.flight = null;
    });
    return state.flight;
  }

  return {
    change() {
      state.changes += 1;
      const since = state.dirtySince ?? ports.now();
      state.dirtySince = since;
      if (state.isBlocked || state.attempts > 0) ports.keep(ports.read(), state.revision);
      if (state.isBlocked) return;
      if (state.flight === null && state.attempts === 0) ports.onStatus({ kind: "unsaved" });
      if (state.flight === null) schedule(Math.max(0, Math.min(DEBOUNCE_MS, since + WAIT_MAX_MS - ports.now())));
    },
    async flush() {
      // A save in flight may hold an older draft: what came after it goes in a second one.
      if (state.flight !== null) await state.flight;
      return save();
    },
    rebase(nextRevision, isSaved) {
      state.revision = nextRevision;
      state.isBlocked = false;
      state.attempts = 0;
      if (isSaved) {
        state.saved = state.changes;
        state.dirtySince = null;
        clearTimeout(state.timer);
        ports.forget();
        ports.onStatus({ kind: "saved", at: ports.now() });
      } else {
        void save();
      }
    },
    keepLocally() {
      if (isDirty()) ports.keep(ports.read(), state.revision);
    },
    revision: () => state.revision,
    stop() {
      clearTimeout(state.timer);
    },
  };
}
