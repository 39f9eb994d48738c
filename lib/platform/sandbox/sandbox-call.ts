/** TypeScript made JavaScript: an ES module with a default export, or an expression that gives an async function. */
export interface CompiledSource {
  form: "module" | "body";
  code: string;
}

/**
 * The first message to a child, and its answer when it is ready. The first child of all makes the snapshots that its
 * interpreters begin with (child/prepare-snapshots.ts), which takes it longer than all the rest; it hands them to the
 * parent, and the parent to every later child.
 */
export interface SandboxStart {
  snapshots: unknown;
}

/** What the pool asks of a child process. */
export interface SandboxCall {
  language: "typescript" | "jsonata";
  source: string;
  /** What an earlier call made of the same source; null at its first use, and for JSONata. */
  compiled: CompiledSource | null;
  inputJson: string;
  timeoutMs: number;
  memoryBytes: number;
}

/** `invalid` and `too_large` are for the user to fix, `fault` is for us. */
export type SandboxResult =
  | { kind: "value"; json: string }
  | { kind: "timeout" }
  | { kind: "invalid" | "too_large"; message: string }
  | { kind: "fault"; message: string };

/** What a child answers. */
export interface SandboxReply {
  result: SandboxResult;
  /** A JSON array of strings. */
  consoleJson: string;
  compiled: CompiledSource | null;
  /** True when the child must not be used again: memory ran out, or a call had to be torn off. */
  isWorn: boolean;
}
