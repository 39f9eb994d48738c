import { LIMITS } from "#lib/contract/limits";

/** The limits of the sandbox. Sizes are bytes and durations milliseconds. */
export const SANDBOX = {
  /** decisions, Size limits: the JSON of the input and of the result. */
  inputBytes: LIMITS.bodyBytes,
  outputBytes: LIMITS.stepOutputBytes,
  /** The interpreter's whole memory; it uses about 7 MiB itself and does not start with less than 16. */
  memoryBytes: 64 * 1_048_576,
  memoryBytesMin: 20 * 1_048_576,
  memoryBytesMax: 256 * 1_048_576,
  /**
   * How deep user code may recurse. The same recursion takes several times as much of the child's stack (measured: 1 MB
   * is too little for a nested JSON text), and systems give a process 8 MB.
   */
  stackBytes: 256 * 1_024,
  childStackKilobytes: 3_900,
  childHeapMegabytes: 192,
  /**
   * The interpreter checks its time as it runs. SIGKILL stops what the interpreter cannot interrupt (one huge built-in
   * call). If the parent is gone, the child's own watchdog does. It counts on the clock, so it comes so late that an
   * interpreter on a busy machine has had its turn.
   */
  killMs: 500,
  watchdogMs: 5_000,
  /**
   * How long before the end of a step's time a call ends that got too little CPU time, so that the step fails for the
   * right reason. At most half of its time.
   */
  reportMs: 1_000,
  /**
   * Compiled modules that a child keeps: 64 KiB of TypeScript take about 1 MiB. Compiling takes 0.09 ms per KiB, and with
   * less than this much code a copy of the compiled form is no faster.
   */
  compiledBytes: 8 * 1_048_576,
  compiledCharactersMin: 1_024,
  /**
   * After this many calls, or this much CPU time, another child takes its place. Starting one takes 400 ms of CPU, so with
   * 500 calls a start was half of the cost of a call. The CPU time is far below the 900 s that the system allows.
   */
  callsPerChild: 5_000,
  childCpuMs: 300_000,
  /**
   * Children that any workspace may fill: as many as there are cores, because user code only waits for the processor.
   * Fewer if the container has too little memory for them (countChildren).
   */
  sharedChildrenMax: 8,
  /**
   * More children, each for the first call of a workspace. Long calls have a low priority, so a short call in one of them
   * gets most of a core.
   */
  reservedChildren: 2,
  /** A child takes 60 to 130 MiB while it is needed. */
  childBytes: 130 * 1_048_576,
} as const;
