import { StepError } from "#lib/contract/step-error";
import { dropPrivileges } from "#lib/platform/child-pool/drop-privileges";
import { type ComputeJob, type ComputeReply, doJob } from "#lib/platform/compute/compute-jobs";

function answer(job: ComputeJob): ComputeReply {
  try {
    return { isWorn: false, result: doJob(job) };
  } catch (error) {
    if (error instanceof StepError) return { isWorn: false, error: error.toPayload() };
    return { isWorn: false, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

// The parent decides when a child ends: Ctrl-C in a terminal reaches the whole group, and jobs that the parent still
// waits for must continue.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(0));
process.on("message", (job: ComputeJob) => process.send?.(answer(job), () => {}));
dropPrivileges();
process.send?.("ready", () => {});
