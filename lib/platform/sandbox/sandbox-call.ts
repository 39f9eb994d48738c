/**
 * TypeScript compiled to JavaScript: an ES module with a default export, or an expression that evaluates to an async
 * function.
 */
export interface CompiledSource {
  form: "module" | "body";
  code: string;
}

/**
 * The first message to a child. The very first child makes the snapshots that
 * interpreters start from (child/prepare-snapshots.ts), which is most of its start-up time; it passes them to the
 * parent, and the parent to every later child.
 */
export interface SandboxStart {
  snapshots: unknown;
}

/** The first message of a child. */
export interface SandboxReady {
  /** Null unless this child made them. */
  snapshots: unknown;
  /** False if the child runs as root. */
  isUnprivileged: boolean;
}

/** A request of the pool to a child process. */
export interface SandboxCall {
  language: "typescript" | "jsonata";
  /** Empty if the call has its compiled form. */
  source: string;
  /** The result of an earlier compilation of the same source; null at its first use, and for JSONata. */
  compiled: CompiledSource | null;
  inputJson: string;
  /** On the clock. */
  timeoutMs: number;
  /** CPU time. */
  cpuMs: number;
  memoryBytes: number;
}

/** `invalid` and `too_large` are for the user to fix, `fault` is for us. */
export type SandboxResult =
  | { kind: "value"; json: string }
  /** A call that was ended by the clock, which may not be its fault. */
  | { kind: "timeout"; of: "clock"; elapsedMs: number; cpuMs: number }
  | { kind: "timeout"; of: "cpu" }
  | { kind: "invalid" | "too_large"; message: string }
  /** The code threw: its own words, the explanation for its author, the code of the error as it gave it, and its line. */
  | { kind: "thrown"; code: string; words: string; message: string; retryAfterMs: number | null; line: number | null }
  | { kind: "fault"; message: string };

/** The answer of a child. */
export interface SandboxReply {
  result: SandboxResult;
  /** A JSON array of strings. */
  consoleJson: string;
  /** Null unless this call compiled its source. */
  compiled: CompiledSource | null;
  /** True when the child must not be used again: it ran out of memory, or a call had to be interrupted by force. */
  isWorn: boolean;
}
