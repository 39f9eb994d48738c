import { LIMITS } from "#lib/contract/limits";

/** What the sandbox allows. Sizes are bytes and durations milliseconds. */
export const SANDBOX = {
  /** decisions, Size limits: what goes in and what comes out, as JSON. */
  inputBytes: LIMITS.bodyBytes,
  outputBytes: LIMITS.stepOutputBytes,
  /** The interpreter's whole memory; some 7 MiB of it are its own. It does not start with less than 16. */
  memoryBytes: 64 * 1_048_576,
  memoryBytesMin: 20 * 1_048_576,
  memoryBytesMax: 256 * 1_048_576,
  /**
   * How deep user code may recurse. The same recursion takes several times as much of the child's own stack (measured:
   * 1 MB of it is too little for a nested JSON text), and systems give a process 8 MB.
   */
  stackBytes: 256 * 1_024,
  childStackKilobytes: 3_900,
  childHeapMegabytes: 192,
  /**
   * The interpreter looks at the clock as it goes. What it cannot interrupt (one huge built-in call) is stopped by the
   * child's watchdog, and what that cannot stop by SIGKILL.
   */
  watchdogMs: 250,
  killMs: 500,
  /** Far more than it takes: a machine with ten times as much to do as it can was seen to need 10 s. */
  startTimeoutMs: 30_000,
  /** A child does so many calls, then another takes its place. */
  callsPerChild: 500,
  maxChildren: 8,
} as const;
