import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { StepError } from "#lib/contract/step-error";
import type { SandboxCall, SandboxReply } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";
import { startChild } from "#lib/platform/sandbox/start-child";

/** A child process and the number of calls it has taken. */
interface Child {
  process: ChildProcess;
  calls: number;
}

interface Waiting {
  take(child: Child): void;
  fail(error: unknown): void;
}

/** As many children as there are cores: user code only waits for the processor. */
const MAX_CHILDREN = Math.min(availableParallelism(), SANDBOX.maxChildren);

const idle: Child[] = [];
const waiting: Waiting[] = [];
/** The children that are starting, working or idle. */
let childCount = 0;

/**
 * Runs a call alone in a child process. Calls beyond the number of children wait their turn, and `timeoutMs` starts
 * with the turn. Aborting a call ends its child.
 * @throws the signal's reason; StepError TIMEOUT when the child had to be killed, UNKNOWN when it ended by itself
 */
export async function runInPool(call: SandboxCall, signal: AbortSignal): Promise<SandboxReply> {
  signal.throwIfAborted();
  const child = await takeChild(signal);
  child.calls += 1;
  try {
    const reply = await askChild(child.process, call, signal);
    release(child, reply.isWorn);
    return reply;
  } catch (error) {
    retire(child);
    throw error;
  }
}

/** Takes a child for one call. A waiting call keeps this process alive; the children do not. */
function takeChild(signal: AbortSignal): Promise<Child> {
  const free = idle.pop();
  // A child that ended at this very moment removes itself.
  if (free?.process.connected) return Promise.resolve(free);
  return new Promise((resolve, reject) => {
    const alive = setInterval(() => {}, 60_000);
    const settle = (act: () => void) => {
      clearInterval(alive);
      signal.removeEventListener("abort", leave);
      act();
    };
    const entry: Waiting = {
      take: (child) => settle(() => resolve(child)),
      fail: (error) => settle(() => reject(error)),
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(entry), 1);
      entry.fail(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    waiting.push(entry);
    addChild();
  });
}

/** Starts a child when there is room for one. When it is ready, the call that has waited longest gets it. */
function addChild(): void {
  if (childCount >= MAX_CHILDREN) return;
  childCount += 1;
  startChild().then(
    (process) => {
      const child: Child = { process, calls: 0 };
      process.once("exit", () => forget(child));
      hand(child);
    },
    (error: unknown) => {
      childCount -= 1;
      waiting.shift()?.fail(sandboxFault("The sandbox could not be started", error));
      if (waiting.length > 0) addChild();
    },
  );
}

function hand(child: Child): void {
  const next = waiting.shift();
  if (next) next.take(child);
  else idle.push(child);
}

function release(child: Child, isWorn: boolean): void {
  if (isWorn || child.calls >= SANDBOX.callsPerChild) retire(child);
  else hand(child);
}

function retire(child: Child): void {
  child.process.kill("SIGKILL");
}

/**
 * Replaces a child that has ended: there was work, so there will be more, and the next call should not wait for a
 * start.
 */
function forget(child: Child): void {
  childCount -= 1;
  const index = idle.indexOf(child);
  if (index >= 0) idle.splice(index, 1);
  if (waiting.length > 0 || child.calls > 0) addChild();
}

function sandboxFault(message: string, cause: unknown): StepError {
  return new StepError("UNKNOWN", message, { cause });
}

/** Sends the call and waits for the reply, the end of the child, the deadline, or the signal. */
function askChild(child: ChildProcess, call: SandboxCall, signal: AbortSignal): Promise<SandboxReply> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const onMessage = (reply: SandboxReply) => settle(() => resolve(reply));
    const onExit = (code: number | null, killedBy: string | null) => {
      const cause = new Error(`The sandbox process ended: ${killedBy ?? code}`);
      settle(() => reject(sandboxFault("The sandbox ended while it ran the code", cause)));
    };
    const onAbort = () => settle(() => reject(signal.reason));
    // The timer also keeps this process alive until the call has ended: the child alone does not.
    const timer = setTimeout(() => settle(() => reject(timeoutError(call.timeoutMs))), call.timeoutMs + SANDBOX.killMs);
    child.on("message", onMessage).on("exit", onExit);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    else child.send(call, () => {});
  });
}

export function timeoutError(timeoutMs: number): StepError {
  return new StepError("code_time_limit", `The code ran longer than ${timeoutMs / 1000} s`);
}
