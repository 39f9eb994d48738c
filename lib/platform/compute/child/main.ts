import { dropPrivileges } from "#lib/platform/child-pool/drop-privileges";
import { answerJob, type ComputeJob } from "#lib/platform/compute/compute-jobs";

// The parent decides when a child ends: Ctrl-C in a terminal reaches the whole group, and jobs that the parent still
// waits for must continue.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(0));
process.on("message", (job: ComputeJob) => process.send?.(answerJob(job), () => {}));
dropPrivileges();
process.send?.("ready", () => {});
