import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import {
  explainError,
  isLoadFailure,
  lineIn,
  SOURCE_NAME,
  type ThrownError,
} from "#lib/platform/sandbox/child/explain-error";
import type { Interpreter } from "#lib/platform/sandbox/child/open-interpreter";
import type { CompiledSource, SandboxCall, SandboxReply, SandboxResult } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

/** Jobs between two checks of the clock; a single long job is interrupted anyway. */
const JOBS_AT_ONCE = 100;
/** For reading the console of a call after its time is up. */
const CONSOLE_MS = 50;

const UNFINISHED =
  "The code waits for a promise that nothing will ever resolve. There are no timers and no network in code";

/** The interpreter's own wording. */
const OUT_OF_MEMORY = { name: "InternalError", message: "out of memory" };

const UNREADABLE = "The code threw something that cannot be read";

type Outcome = Pick<SandboxReply, "result" | "consoleJson" | "isWorn">;

/** Wraps a value that was thrown in the interpreter. */
class Thrown extends Error {
  readonly thrown: ThrownError;
  constructor(thrown: Partial<ThrownError>) {
    super(thrown.message);
    this.thrown = { name: "", message: "", stack: "", code: "", retryAfterMs: null, ...thrown };
  }
}

/** The user's function threw. */
class ThrownByMain extends Thrown {}

/** Why a call has no more time. */
type TimeUp = "clock" | "cpu";

interface Run extends Interpreter {
  host: QuickJSHandle;
  /** Returns the limit that the call has exceeded; null while it has time. */
  checkTime(): TimeUp | null;
  timeUp: TimeUp | null;
}

/** CPU time that this process has used, in ms. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The clocks of this process when the call started. */
export interface StartedAt {
  clockMs: number;
  cpuMs: number;
}

export function clockTimeout({ clockMs, cpuMs }: StartedAt): SandboxResult {
  return { kind: "timeout", of: "clock", elapsedMs: performance.now() - clockMs, cpuMs: cpuNow() - cpuMs };
}

interface RunOptions {
  seed: string;
  startedAt: StartedAt;
  /** The interpreter knows the compiled module already. */
  isLoaded: boolean;
}

/**
 * Runs a call in a fresh interpreter. Only strings cross the boundary, and text from the guest is untrusted: user code
 * may have changed everything in there.
 * @throws anything WebAssembly throws when the interpreter itself breaks
 */
export function runInInterpreter(
  interpreter: Interpreter,
  call: SandboxCall,
  compiled: CompiledSource | null,
  options: RunOptions,
): Outcome {
  const { runtime, context } = interpreter;
  const host = context.getProp(context.global, "__host");
  const { startedAt } = options;
  const checkTime = () => {
    if (cpuNow() > startedAt.cpuMs + call.cpuMs) return "cpu";
    return performance.now() > startedAt.clockMs + call.timeoutMs ? "clock" : null;
  };
  const run: Run = { ...interpreter, host, checkTime, timeUp: null };
  runtime.setInterruptHandler(() => {
    run.timeUp ??= run.checkTime();
    return run.timeUp !== null || run.isExhausted();
  });
  let result: SandboxResult;
  try {
    callHost(run, "seedRandom", options.seed);
    const main = compiled ? loadMain(run, compiled, options.isLoaded) : loadExpression(run, call.source);
    callHost(run, "startMain", main, call.inputJson);
    result = readResult(pumpUntil(run, () => readOutcome(run)));
  } catch (error) {
    if (!(error instanceof Thrown)) throw error;
    result = failureOf(error, call);
  }
  if (run.timeUp === "cpu") result = { kind: "timeout", of: "cpu" };
  if (run.timeUp === "clock") result = clockTimeout(startedAt);
  return { result, consoleJson: readConsole(run), isWorn: run.isExhausted() };
}

/**
 * Code that ran and threw decides the class of the error. What the interpreter threw, and any error of an expression, is
 * for the author to fix.
 */
function failureOf(error: Thrown, call: SandboxCall): SandboxResult {
  const { thrown } = error;
  const isOfCode = error instanceof ThrownByMain && call.language === "typescript" && thrown.name !== "InternalError";
  if (!isOfCode) return { kind: "invalid", message: messageOf(thrown, call) };
  const { code, message, retryAfterMs } = thrown;
  return {
    kind: "thrown",
    code,
    words: message,
    message: explainError(thrown),
    retryAfterMs,
    line: lineIn(thrown.stack),
  };
}

function messageOf(thrown: ThrownError, call: SandboxCall): string {
  if (thrown.name !== OUT_OF_MEMORY.name || thrown.message !== OUT_OF_MEMORY.message) return explainError(thrown);
  return memoryMessage(call);
}

export function memoryMessage({ memoryBytes }: SandboxCall): string {
  return `The code needs more than the ${Math.round(memoryBytes / 1_048_576)} MiB of memory it may use`;
}

/** Imports a module that is loaded already. With `import()`, a module that exports `then` would be called as a promise. */
const IMPORT_LOADED = `import * as main from "${SOURCE_NAME}"; export { main };`;

/** Returns the function of a source: the module's default export, or its body. */
function loadMain(run: Run, { form, code }: CompiledSource, isLoaded: boolean): QuickJSHandle {
  const { context } = run;
  const type = form === "module" ? "module" : "global";
  const result = isLoaded
    ? context.evalCode(IMPORT_LOADED, "load", { type: "module" })
    : context.evalCode(code, SOURCE_NAME, { type, strict: true });
  assertMemory(run);
  if (result.error) throw thrownAtLoad(describe(run, result.error));
  const loaded = result.value;
  if (form === "body") return loaded;
  // A module with a top-level `await` is ready when its jobs have run.
  const state = pumpUntil(run, () => {
    const promise = context.getPromiseState(loaded);
    return promise.type === "pending" ? null : promise;
  });
  if (state === null) throw new Thrown({ message: UNFINISHED });
  if (state.type === "rejected") throw thrownAtLoad(describe(run, state.error));
  const exported = isLoaded ? context.getProp(state.value, "main") : state.value;
  const main = context.getProp(exported, "default");
  if (context.typeof(main) === "function") return main;
  throw new Thrown({ message: "The code must export a function: export default async (input) => ..." });
}

/** The statements of a module run when it is loaded. A module that cannot be loaded has not run. */
function thrownAtLoad({ thrown }: Thrown): Thrown {
  return isLoadFailure(thrown) ? new Thrown(thrown) : new ThrownByMain(thrown);
}

function loadExpression(run: Run, expression: string): QuickJSHandle {
  const { context } = run;
  const evaluate = context.getProp(context.global, "__evaluate");
  return unwrap(run, context.callFunction(evaluate, context.undefined, context.newString(expression)));
}

/** Runs jobs until `read` returns a value; null when the jobs or the time ran out first. */
function pumpUntil<T>(run: Run, read: () => T | null): T | null {
  for (;;) {
    const found = read();
    if (found !== null) return found;
    run.timeUp ??= run.checkTime();
    if (run.timeUp) return null;
    if (!run.runtime.hasPendingJob()) return null;
    // An error here belongs to one interrupted job; the outcome of the call shows in `readOutcome`.
    const executed = run.runtime.executePendingJobs(JOBS_AT_ONCE);
    assertMemory(run);
    if (executed.error) executed.error.dispose();
  }
}

function readOutcome(run: Run): string | null {
  const text = run.context.getString(callHost(run, "readOutcome"));
  return text === "" ? null : text;
}

function readResult(outcome: string | null): SandboxResult {
  if (outcome === null) return { kind: "invalid", message: UNFINISHED };
  const text = outcome.slice(1);
  switch (outcome.charAt(0)) {
    case "V":
      if (Buffer.byteLength(text) <= SANDBOX.outputBytes) return { kind: "value", json: text };
      return { kind: "too_large", message: tooLarge() };
    case "L":
      return { kind: "too_large", message: tooLarge() };
    case "N": {
      const thrown = readThrown(text);
      if (thrown.name === "InternalError") throw new Thrown(thrown);
      return { kind: "invalid", message: `The result cannot be written as JSON: ${explainError(thrown)}` };
    }
    default:
      throw new ThrownByMain(readThrown(text));
  }
}

function tooLarge(): string {
  return `The result is larger than ${SANDBOX.outputBytes / 1_048_576} MiB`;
}

function readConsole(run: Run): string {
  if (run.isExhausted()) return "[]";
  const deadline = performance.now() + CONSOLE_MS;
  run.timeUp = null;
  run.checkTime = () => (performance.now() > deadline ? "clock" : null);
  try {
    return run.context.getString(callHost(run, "consoleJson"));
  } catch {
    return "[]";
  }
}

function callHost(run: Run, name: string, ...args: (QuickJSHandle | string)[]): QuickJSHandle {
  const { context, host } = run;
  const handles = args.map((argument) => (typeof argument === "string" ? context.newString(argument) : argument));
  const method = context.getProp(host, name);
  assertMemory(run);
  return unwrap(run, context.callFunction(method, context.undefined, ...handles));
}

/**
 * Code may catch its own out-of-memory error, but reading the result needs memory too, and the library takes a failed
 * allocation for address 0: the call is over.
 */
function assertMemory(run: Run): void {
  if (run.isExhausted()) throw new Thrown(OUT_OF_MEMORY);
}

function unwrap(run: Run, result: ReturnType<QuickJSContext["callFunction"]>): QuickJSHandle {
  assertMemory(run);
  if (result.error) throw describe(run, result.error);
  return result.value;
}

/** The guest reads the thrown value, because only it can. */
function describe(run: Run, error: QuickJSHandle): Thrown {
  const { context, host } = run;
  const described = context.callFunction(context.getProp(host, "describeError"), context.undefined, error);
  assertMemory(run);
  if (described.error) return new Thrown({ message: UNREADABLE });
  return new Thrown(readThrown(context.getString(described.value)));
}

/** The text comes from the process that ran the user's code, so it may be anything. */
function readThrown(json: string): ThrownError {
  const textOf = (value: unknown) => (typeof value === "string" ? value : "");
  try {
    const { name, message, stack, code, retryAfterMs } = JSON.parse(json);
    const isEmpty = textOf(name) === "" && textOf(message) === "";
    return {
      name: textOf(name),
      message: isEmpty ? UNREADABLE : textOf(message),
      stack: textOf(stack),
      code: textOf(code),
      retryAfterMs: typeof retryAfterMs === "number" && retryAfterMs >= 0 ? retryAfterMs : null,
    };
  } catch {
    return { name: "", message: UNREADABLE, stack: "", code: "", retryAfterMs: null };
  }
}
