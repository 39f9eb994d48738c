/** The save state that the header shows. `at` is in epoch milliseconds. */
export type SaveState =
  | { kind: "saved"; at: number }
  | { kind: "unsaved" }
  | { kind: "saving" }
  | { kind: "offline" }
  | { kind: "failed"; message: string }
  | { kind: "conflict" };

type SaveKind = SaveState["kind"];

/** Why a save failed: no network, another user saved first, or any other error. */
export interface SaveFailure {
  kind: Extract<SaveKind, "offline" | "failed" | "conflict">;
  message: string;
}

/**
 * What happens to a draft: the user changes it, it is sent, the server has stored all of it or all but later changes, the
 * save fails for one of three reasons, or the draft becomes one that the server has.
 */
export type SaveEvent = "change" | "send" | "stored" | "overtaken" | SaveFailure["kind"] | "adopt";

/** The next state after each event that can happen. A conflict is left only by a decision: nothing is sent until then. */
export const SAVE_TRANSITIONS: Record<SaveKind, Partial<Record<SaveEvent, SaveKind>>> = {
  saved: { change: "unsaved", adopt: "saved" },
  unsaved: { change: "unsaved", send: "saving", adopt: "saved" },
  saving: {
    change: "saving",
    stored: "saved",
    overtaken: "unsaved",
    offline: "offline",
    failed: "failed",
    conflict: "conflict",
    adopt: "saving",
  },
  offline: { change: "offline", send: "saving", adopt: "saved" },
  failed: { change: "failed", send: "saving", adopt: "saved" },
  conflict: { change: "conflict", send: "saving", adopt: "saved" },
};

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
  state: SaveKind;
  /** The number of changes so far, and how many of them the server has. */
  changes: number;
  saved: number;
  dirtySince: number | null;
  revision: number;
  attempts: number;
  flight: Promise<boolean> | null;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Saves a draft in the background: 800 ms after the last change, at most 5 s after the first, and never two at once. A
 * conflict stops saving until `rebase`, so that no one's work is overwritten. While offline it keeps retrying.
 */
export function createAutosave<Draft>(ports: AutosavePorts<Draft>, revision: number): Autosave {
  const saver: Saver<Draft> = {
    ports,
    state: "saved",
    changes: 0,
    saved: 0,
    dirtySince: null,
    revision,
    attempts: 0,
    flight: null,
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

/** Enters the next state and shows it. Only a draft that stays saved is shown again, with its new time. */
function enter<Draft>(saver: Saver<Draft>, event: SaveEvent, message = ""): void {
  const { ports, state } = saver;
  const kind = SAVE_TRANSITIONS[state][event] ?? state;
  saver.state = kind;
  if (kind === state && kind !== "saved") return;
  if (kind === "saved") ports.onStatus({ kind, at: ports.now() });
  else ports.onStatus(kind === "failed" ? { kind, message } : { kind });
}

function noteChange<Draft>(saver: Saver<Draft>): void {
  const { ports } = saver;
  saver.changes += 1;
  const since = saver.dirtySince ?? ports.now();
  saver.dirtySince = since;
  enter(saver, "change");
  if (saver.state === "conflict" || saver.attempts > 0) keep(saver);
  if (saver.state === "conflict" || saver.state === "saving") return;
  schedule(saver, Math.max(0, Math.min(DEBOUNCE_MS, since + WAIT_MAX_MS - ports.now())));
}

function save<Draft>(saver: Saver<Draft>): Promise<boolean> {
  clearTimeout(saver.timer);
  return saver.state === "conflict" ? Promise.resolve(false) : send(saver);
}

function send<Draft>(saver: Saver<Draft>): Promise<boolean> {
  if (saver.flight !== null) return saver.flight;
  if (!isDirty(saver)) return Promise.resolve(true);
  saver.flight = attempt(saver).finally(() => {
    saver.flight = null;
  });
  return saver.flight;
}

async function attempt<Draft>(saver: Saver<Draft>): Promise<boolean> {
  const { ports } = saver;
  const sending = saver.changes;
  enter(saver, "send");
  try {
    saver.revision = await ports.send(ports.read(), saver.revision);
  } catch (error) {
    return fail(saver, ports.classify(error));
  }
  saver.saved = sending;
  saver.attempts = 0;
  saver.dirtySince = isDirty(saver) ? ports.now() : null;
  if (isDirty(saver)) {
    enter(saver, "overtaken");
    schedule(saver, DEBOUNCE_MS);
  } else {
    ports.forget();
    enter(saver, "stored");
  }
  return !isDirty(saver);
}

function fail<Draft>(saver: Saver<Draft>, { kind, message }: SaveFailure): boolean {
  keep(saver);
  enter(saver, kind, message);
  if (kind === "conflict") return false;
  schedule(saver, RETRY_MS[Math.min(saver.attempts, RETRY_MS.length - 1)] ?? DEBOUNCE_MS);
  saver.attempts += 1;
  return false;
}

function rebase<Draft>(saver: Saver<Draft>, revision: number, isSaved: boolean): void {
  const { ports } = saver;
  saver.revision = revision;
  saver.attempts = 0;
  clearTimeout(saver.timer);
  if (!isSaved) {
    void send(saver);
    return;
  }
  saver.saved = saver.changes;
  saver.dirtySince = null;
  ports.forget();
  enter(saver, "adopt");
}
