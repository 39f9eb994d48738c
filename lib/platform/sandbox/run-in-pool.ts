import { availableParallelism } from "node:os";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import { type FairPool, openFairPool } from "#lib/platform/child-pool/open-fair-pool";
import { PoolError } from "#lib/platform/child-pool/pool-error";
import { env } from "#lib/platform/config/env";
import { countSharedChildren } from "#lib/platform/sandbox/count-children";
import type { SandboxCall, SandboxReply } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";
import { startChild } from "#lib/platform/sandbox/start-child";

let pool: FairPool<SandboxReply> | undefined;

/** Opened by the first call: a build loads this file without settings. */
function openPool(): FairPool<SandboxReply> {
  const resources = {
    cores: availableParallelism(),
    memoryBytes: process.constrainedMemory(),
    workers: env().WORKERS,
  };
  return openFairPool<SandboxReply>({
    start: startChild,
    children: { shared: countSharedChildren(resources), reserved: SANDBOX.reservedChildren },
    queue: { calls: LIMITS.codeQueuedCalls, bytes: LIMITS.codeQueuedBytes },
    callsPerChild: SANDBOX.callsPerChild,
    killMs: SANDBOX.killMs,
  });
}

/** The workspace of a call, and the function to run when its turn comes. */
interface Turn {
  workspaceId: string;
  signal: AbortSignal;
  onTurn?: (() => void) | undefined;
}

/**
 * Runs a call alone in a child process. Workspaces take turns, and the call's time starts with its turn. Aborting a call
 * ends its child.
 * @throws the signal's reason; StepError TIMEOUT when the child had to be killed, RATE_LIMITED when the workspace has too
 *   many calls waiting, UNKNOWN when the child ended by itself
 */
export async function runInPool(message: SandboxCall, turn: Turn): Promise<SandboxReply> {
  const { source, inputJson, timeoutMs, cpuMs } = message;
  const { workspaceId, signal, onTurn } = turn;
  try {
    const bytes = source.length + inputJson.length;
    pool ??= openPool();
    return await pool.run({ workspaceId, message, bytes, timeoutMs, cpuMs, signal, onTurn });
  } catch (error) {
    throw error instanceof PoolError ? stepErrorOf(error, message) : error;
  }
}

function stepErrorOf(error: PoolError, call: SandboxCall): StepError {
  switch (error.kind) {
    case "time_limit":
      return timeoutError("clock", call);
    case "cpu_limit":
      return timeoutError("cpu", call);
    case "crowded":
      return new StepError("sandbox_busy", "Too many code steps of this workspace wait for the sandbox");
    case "not_started":
      return new StepError("UNKNOWN", "The sandbox could not be started", { cause: error.cause });
    case "ended":
      return new StepError("UNKNOWN", "The sandbox ended while it ran the code", { cause: error.cause });
  }
}

export function timeoutError(of: "clock" | "cpu", { timeoutMs, cpuMs }: SandboxCall): StepError {
  if (of === "cpu") return new StepError("code_time_limit", `The code used more than ${cpuMs / 1000} s of CPU time`);
  return new StepError("code_time_limit", `The code ran longer than ${timeoutMs / 1000} s`);
}
