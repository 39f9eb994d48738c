/** What the header says about the draft. `at` is in epoch milliseconds. */
export type SaveState =
  | { kind: "saved"; at: number }
  | { kind: "unsaved" }
  | { kind: "saving" }
  | { kind: "offline" }
  | { kind: "failed"; message: string }
  | { kind: "conflict" };

/** How a save failed: no network, another user saved first, or anything else. */
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
  onStatus: (status: SaveState) => void;
  now: () => number;
}

export interface Autosave {
  /** The document changed. */
  change: () => void;
  /** Saves now. Resolves with true once everything typed so far is on the server. */
  flush: () => Promise<boolean>;
  /** The draft is now based on another revision, saved there (`take theirs`) or to be saved over it (`keep mine`). */
  rebase: (revision: number, isSaved: boolean) => void;
  /** What is in memory, kept in this browser if the server does not have it: the page may be about to go. */
  keepLocally: () => void;
  revision: () => number;
  stop: () => void;
}

const DEBOUNCE_MS = 800;
const WAIT_MAX_MS = 5_000;
const RETRY_MS = [2_000, 5_000, 15_000, 30_000] as const;

interface Saver<Draft> {
  ports: AutosavePorts<Draft>;
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
 * Saves a draft in the background: 800 ms after the last change, 5 s after the first at the latest, never two at once. A
 * conflict stops it until `rebase`, so that no one's work is overwritten; offline it keeps trying.
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
      // A save in flight may hold an older draft: what came after it goes in a second one.
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
