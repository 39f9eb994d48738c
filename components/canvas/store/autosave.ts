/** The save state that the header shows. `at` is in epoch milliseconds. */
export type SaveState =
  | { kind: "saved"; at: number }
  | { kind: "unsaved" }
  | { kind: "saving" }
  | { kind: "offline" }
  | { kind: "failed"; message: string }
  | { kind: "conflict" };

/** Why a save failed: no network, another user saved first, or any other error. */
export interface SaveFailure {
  kind: "offline" | "conflict" | "failed";
  message: string;
}

export interface AutosavePorts<Draft> {
  read: () => Draft;
  /** Sends the draft over the revision it is based on; resolves with the new revision. */
  send: (draft: Draft, expectedRevision: number) => Promise<number>;
  classify: (error: unknown) => SaveFailure;
  /** Keeps a copy in this browser until a save is acknowledged. */
  keep: (draft: Draft, revision: number) => void;
  forget: () => void;
  onStatus: (status: SaveState) => void;
  now: () => number;
}

export interface Autosave {
  /** Must be called when the document changes. */
  change: () => void;
  /** Saves now. Resolves with true once all changes so far are on the server. */
  flush: () => Promise<boolean>;
  /**
   * Bases the draft on another revision: one that is already saved (take theirs), or one to be saved over (keep mine).
   */
  rebase: (revision: number, isSaved: boolean) => void;
  /** Keeps the unsaved draft in this browser, because the page may be about to close. */
  keepLocally: () => void;
  revision: () => number;
  stop: () => void;
}

const DEBOUNCE_MS = 800;
const WAIT_MAX_MS = 5_000;
const RETRY_MS = [2_000, 5_000, 15_000, 30_000] as const;

interface Saver<Draft> {
  ports: AutosavePorts<Draft>;
  /** The number of changes so far, and how many of them the server has. */
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
 * Saves a draft in the background: 800 ms after the last change, at most 5 s after the first, and never two at once. A
 * conflict stops saving until `rebase`, so that no one's work is overwritten. While offline it keeps retrying.
 */
export function createAutosave<Draft>(ports: AutosavePorts<Draft>, revision: number): Autosave {
  const saver: Saver<Draft> = {
    ports,
    changes: 0,
    saved: 0,
    dirtySince: null,
    revision,
    attempts: 0,
    flight: null,
    isBlocked: false,
    timer: undefined,
  };
  return {
    change: () => noteChange(saver),
    async flush() {
      // A save in flight may contain an older draft, so later changes go into a second save.
      if (saver.flight !== null) await saver.flight;
      return save(saver);
    },
    rebase: (nextRevision, isSaved) => rebase(saver, nextRevision, isSaved),
    keepLocally: () => isDirty(saver) && keep(saver),
    revision: () => saver.revision,
    stop: () => clearTimeout(saver.timer),
  };
}

const isDirty = ({ saved, changes }: { saved: number; changes: number }): boolean => saved < changes;

function keep<Draft>({ ports, revision }: Saver<Draft>): void {
  ports.keep(ports.read(), revision);
}

function schedule<Draft>(saver: Saver<Draft>, delayMs: number): void {
  clearTimeout(saver.timer);
  saver.timer = setTimeout(() => void save(saver), delayMs);
}

function noteChange<Draft>(saver: Saver<Draft>): void {
  const { ports, isBlocked, attempts, flight } = saver;
  saver.changes += 1;
  const since = saver.dirtySince ?? ports.now();
  saver.dirtySince = since;
  if (isBlocked || attempts > 0) keep(saver);
  if (isBlocked || flight !== null) return;
  if (attempts === 0) ports.onStatus({ kind: "unsaved" });
  schedule(saver, Math.max(0, Math.min(DEBOUNCE_MS, since + WAIT_MAX_MS - ports.now())));
}

function save<Draft>(saver: Saver<Draft>): Promise<boolean> {
  clearTimeout(saver.timer);
  if (saver.flight !== null) return saver.flight;
  if (saver.isBlocked) return Promise.resolve(false);
  if (!isDirty(saver)) return Promise.resolve(true);
  saver.flight = attempt(saver).finally(() => {
    saver.flight = null;
  });
  return saver.flight;
}

async function attempt<Draft>(saver: Saver<Draft>): Promise<boolean> {
  const { ports } = saver;
  const sending = saver.changes;
  ports.onStatus({ kind: "saving" });
  try {
    saver.revision = await ports.send(ports.read(), saver.revision);
  } catch (error) {
    return fail(saver, ports.classify(error));
  }
  saver.saved = sending;
  saver.attempts = 0;
  saver.dirtySince = isDirty(saver) ? ports.now() : null;
  if (isDirty(saver)) {
    ports.onStatus({ kind: "unsaved" });
    schedule(saver, DEBOUNCE_MS);
  } else {
    ports.forget();
    ports.onStatus({ kind: "saved", at: ports.now() });
  }
  return !isDirty(saver);
}

function fail<Draft>(saver: Saver<Draft>, failure: SaveFailure): boolean {
  const { ports } = saver;
  keep(saver);
  if (failure.kind === "conflict") {
    saver.isBlocked = true;
    ports.onStatus({ kind: "conflict" });
    return false;
  }
  ports.onStatus(failure.kind === "offline" ? { kind: "offline" } : { kind: "failed", message: failure.message });
  schedule(saver, RETRY_MS[Math.min(saver.attempts, RETRY_MS.length - 1)] ?? DEBOUNCE_MS);
  saver.attempts += 1;
  return false;
}

function rebase<Draft>(saver: Saver<Draft>, revision: number, isSaved: boolean): void {
  const { ports } = saver;
  saver.revision = revision;
  saver.isBlocked = false;
  saver.attempts = 0;
  if (!isSaved) {
    void save(saver);
    return;
  }
  saver.saved = saver.changes;
  saver.dirtySince = null;
  clearTimeout(saver.timer);
  ports.forget();
  ports.onStatus({ kind: "saved", at: ports.now() });
}
