import type { MemoryLeft } from "#worker/execute/measure-memory";

/** What happens to the admission of a worker. The answer to a request is `nothing`, `more`, `limit`, or `fail`. */
export type AdmissionEvent = "wake" | "leave" | "ask" | "nothing" | "more" | "limit" | "fail" | "stop";

/**
 * What a worker knows of the queue (glossary, States of the admission). Events that a state does not list leave it as it is.
 * A request may not know what happens after it was sent, so the three states in which one is in flight differ in that.
 */
export const ADMISSION_TRANSITIONS = {
  /** Nothing is due. */
  quiet: { wake: "ready", stop: "stopped" },
  /** Runs may be due. The worker asks for them once it has room. */
  ready: { ask: "asking", stop: "stopped" },
  asking: {
    wake: "asking_woken",
    leave: "asking_left",
    nothing: "quiet",
    more: "ready",
    limit: "limited",
    fail: "away",
    stop: "stopped",
  },
  /** A run has left since the request was sent, so its workspace may start another one. */
  asking_left: {
    wake: "asking_woken",
    nothing: "quiet",
    more: "ready",
    limit: "ready",
    fail: "away",
    stop: "stopped",
  },
  /** Runs may have become due since the request was sent. */
  asking_woken: { nothing: "ready", more: "ready", limit: "ready", fail: "away", stop: "stopped" },
  /** Runs are due, but none that their workspaces may start before another one ends. */
  limited: { wake: "ready", leave: "ready", stop: "stopped" },
  /** PostgreSQL could not be asked. The worker tries again soon. */
  away: { wake: "ready", leave: "ready", stop: "stopped" },
  stopped: {},
} as const satisfies Record<string, Partial<Record<AdmissionEvent, string>>>;

export type AdmissionState = keyof typeof ADMISSION_TRANSITIONS;

export function nextAdmissionState(state: AdmissionState, event: AdmissionEvent): AdmissionState {
  const transitions: Partial<Record<AdmissionEvent, AdmissionState>> = ADMISSION_TRANSITIONS[state];
  return transitions[event] ?? state;
}

/** How often a worker without room looks for a workspace that has no run in flight. */
const NEWCOMER_MS = 100;
/** How many newcomers it takes at a time, on top of the runs that already use the process. */
const NEWCOMERS_MAX = 2;

interface Load {
  /** How many runs the worker executes at most, and how many it executes. */
  ceiling: number;
  held: number;
  /** How many more it may take at the pace of its event loop. */
  room: number;
  memory: MemoryLeft;
  /** The time since it last looked for newcomers. */
  sinceNewcomersMs: number;
}

/** What a worker that is ready may take now: any runs, those of workspaces that have none in flight, or none for a time. */
type Intake =
  | { kind: "any"; wanted: number }
  | { kind: "newcomers"; wanted: number }
  | { kind: "pause"; ms: number }
  | { kind: "full" };

export function findIntake({ ceiling, held, room, memory, sinceNewcomersMs }: Load): Intake {
  if (memory === "enough" && room > 0) return { kind: "any", wanted: room };
  // One at a time is progress: a run must not wait for memory that only a garbage collection would free.
  if (memory !== "enough" && held === 0) return { kind: "any", wanted: 1 };
  if (memory === "none") return { kind: "pause", ms: NEWCOMER_MS };
  if (held >= ceiling) return { kind: "full" };
  // Runs that use up the processor or the memory must not make another workspace wait until one of them ends.
  if (sinceNewcomersMs < NEWCOMER_MS) return { kind: "pause", ms: NEWCOMER_MS - sinceNewcomersMs };
  return { kind: "newcomers", wanted: Math.min(memory === "enough" ? NEWCOMERS_MAX : 1, ceiling - held) };
}
