import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

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
