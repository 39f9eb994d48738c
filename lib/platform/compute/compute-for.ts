import { readObject } from "#lib/connectors/llm/output-schema";
import { LIMITS } from "#lib/contract/limits";
import { StepError, stepErrorKind } from "#lib/contract/run/step-error";
import type { ComputePort } from "#lib/core/engine/ports";
import { PoolError } from "#lib/platform/child-pool/pool-error";
import type { ComputeJob, JobResult } from "#lib/platform/compute/compute-jobs";
import { askComputeChild, type JobTurn } from "#lib/platform/compute/compute-pool";

/** Returns the computing of one workspace, whose jobs take turns with those of the others. */
export function computeFor(workspaceId: string): ComputePort {
  return {
    findCase: (cases, signal) => {
      // Each text is at most as large as a step's input.
      const bytes = JSON.stringify(cases).length;
      return runJob({ kind: "find_case", cases }, { workspaceId, bytes, signal });
    },
    parseObject: async (text, schema, signal, onKept) => {
      const index = await runJob({ kind: "check_object", text, schema }, { workspaceId, bytes: text.length, signal });
      // The text is here already; sending the value would cost more than reading it again.
      return readObject(text, schema, index, onKept);
    },
    checkValue: (value, schema, signal) => {
      const bytes = JSON.stringify(value).length + JSON.stringify(schema).length;
      return runJob({ kind: "check_value", value, schema }, { workspaceId, bytes, signal });
    },
  };
}

/**
 * Does a job of a step in a child process.
 * @throws StepError: what the job throws; TIMEOUT above its CPU time or on a busy machine, VALIDATION_ERROR above its
 * memory, RATE_LIMITED if too many jobs of the workspace wait, UPSTREAM_ERROR if there is no child; or the signal's reason
 */
export async function runJob<Job extends ComputeJob>(job: Job, turn: JobTurn): Promise<JobResult<Job["kind"]>> {
  const reply = await askComputeChild(job, turn).catch((error: unknown) => {
    throw error instanceof PoolError ? stepErrorOf(error) : error;
  });
  if ("result" in reply) return reply.result as JobResult<Job["kind"]>;
  if ("error" in reply) throw new StepError(stepErrorKind(reply.error) ?? "UNKNOWN", reply.error.message);
  throw new StepError("UNKNOWN", "The data could not be checked", {
    cause: "fault" in reply ? reply.fault : reply.refusal,
  });
}

function stepErrorOf(error: PoolError): StepError {
  const { kind, cause = error } = error;
  switch (kind) {
    case "cpu_limit":
    case "time_limit":
      return new StepError("code_time_limit", `The data took more than ${LIMITS.computeJobMs / 1_000} s to check`);
    case "starved":
      return new StepError(
        "machine_busy",
        "The machine was too busy to check the data. The workflow is not at fault. Run it again.",
      );
    case "crowded":
      return new StepError("sandbox_busy", "Too many checks of this workspace wait for their turn");
    case "ended":
      // Our own code ends a child only when its memory is used up.
      return new StepError("data_too_large", "The data took too much memory to check", { cause });
    case "killed":
    case "not_started":
      return new StepError(
        "sandbox_unavailable",
        "The machine could not run the process that checks data. The workflow is not at fault. Run it again.",
        { cause },
      );
  }
}
