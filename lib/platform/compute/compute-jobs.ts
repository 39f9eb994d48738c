import { parseObject } from "#lib/connectors/llm/output-schema";
import type { StepErrorPayload } from "#lib/contract/step-error";
import { findCase, type RuleCase } from "#lib/core/expressions/find-case";

/** The first case whose rules hold, with the budget of a whole step. */
interface FindCaseJob {
  kind: "find_case";
  cases: readonly RuleCase[];
}

/** Whether a model's text is JSON that matches a schema. */
interface CheckObjectJob {
  kind: "check_object";
  text: string;
  schema: Record<string, unknown>;
}

export type ComputeJob = FindCaseJob | CheckObjectJob;

export type ComputeReply = {
  /** A child does not wear out: it runs our own code and keeps nothing of a job. */
  isWorn: false;
} & ({ result: number } | { error: StepErrorPayload } | { fault: string });

/**
 * Does one job. Runs in a child process.
 * @returns a position for `find_case`; 0 if a model's text matches
 * @throws StepError
 */
export function doJob(job: ComputeJob): number {
  switch (job.kind) {
    case "find_case":
      return findCase(job.cases);
    case "check_object":
      parseObject(job.text, job.schema);
      return 0;
  }
}
