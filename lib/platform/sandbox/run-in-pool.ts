import { availableParallelism } from "node:os";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { type FairPool, openFairPool } from "#lib/platform/child-pool/open-fair-pool";
import { PoolError } from "#lib/platform/child-pool/pool-error";
import { env } from "#lib/platform/config/env";
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

/** The workspace of a call, its time by the clock, and the function to run when its turn comes. */
interface Turn {
  workspaceId: string;
  timeoutMs: number;
  signal: AbortSignal;
  onTurn?: (() => void) | undefined;
}

/**
 * Runs a call alone in a child process. Workspaces take turns, and the call's time starts with its turn. Aborting a call
 * ends its child.
 * @throws the signal's reason; StepError TIMEOUT when the child had to be killed, RATE_LIMITED when the workspace has too
 *   many calls waiting, UPSTREAM_ERROR when the machine could not run a child, UNKNOWN when the child ended by itself
 */
export async function runInPool(message: SandboxCall, turn: Turn): Promise<SandboxReply> {
  const { source, inputJson, timeoutMs, cpuMs } = message;
  const { workspaceId, signal, onTurn } = turn;
  try {
    const bytes = source.length + inputJson.length;
    pool ??= openPool();
    return await pool.run({ workspaceId, message, bytes, timeoutMs, cpuMs, signal, onTurn });
  } catch (error) {
    throw error instanceof PoolError ? stepErrorOf(error, { cpuMs, timeoutMs: turn.timeoutMs }) : error;
  }
}

/** The limits of a call, as its author knows them. */
export type CallTime = Record<"cpuMs" | "timeoutMs", number>;

function stepErrorOf({ kind, cause }: PoolError, limits: CallTime): StepError {
  switch (kind) {
    case "time_limit":
      return tooLong(limits);
    case "starved":
      return starved(limits);
    case "cpu_limit":
      return tooMuchCpu(limits);
    case "crowded":
      return new StepError("sandbox_busy", "Too many code steps of this workspace wait for the sandbox");
    case "not_started":
    case "killed":
      return new StepError(
        "sandbox_unavailable",
        "The machine could not run the sandbox. The workflow is not at fault. Run it again.",
        { cause },
      );
    case "ended":
      return new StepError("UNKNOWN", "The sandbox ended while it ran the code", { cause });
  }
}

export function tooMuchCpu({ cpuMs }: Pick<CallTime, "cpuMs">): StepError {
  return new StepError("code_time_limit", `The code used more than ${cpuMs / 1_000} s of CPU time`);
}

export function tooLong({ timeoutMs }: Pick<CallTime, "timeoutMs">): StepError {
  return new StepError("code_time_limit", `The code ran longer than ${timeoutMs / 1_000} s`);
}

/** The step's time is up, but the code hardly ran in it. */
export function starved({ timeoutMs }: Pick<CallTime, "timeoutMs">): StepError {
  return new StepError(
    "machine_busy",
    `The machine was too busy to run the code within ${timeoutMs / 1_000} s. The workflow is not at fault. Run it again.`,
  );
}

const MIB = 1_048_576;
/** The launcher and the stand-by of the workers. */
const MACHINE_BYTES = 240 * MIB;
/** A busy worker with 450 MiB, and its two compute children. */
const WORKER_BYTES = 610 * MIB;

interface Resources {
  cores: number;
  /** What all processes of the container may use. 0 is unknown. */
  memoryBytes: number;
  /** Worker processes in the container. */
  workers: number;
}

/**
 * Returns how many children any workspace may fill. A container without a CPU limit has all cores of its node, but not
 * its memory. If its processes exceed the limit together, the system kills all of them, with every run in progress.
 */
export function countSharedChildren({ cores, memoryBytes, workers }: Resources): number {
  const wanted = Math.min(cores, SANDBOX.sharedChildrenMax);
  if (memoryBytes === 0) return wanted;
  const left = (memoryBytes - MACHINE_BYTES) / Math.max(1, workers) - WORKER_BYTES;
  const affordable = Math.floor(left / SANDBOX.childBytes) - SANDBOX.reservedChildren;
  return Math.max(1, Math.min(wanted, affordable));
}
