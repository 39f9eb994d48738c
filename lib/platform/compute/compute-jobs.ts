import { findObject } from "#lib/connectors/llm/output-schema";
import { ApiError, type ApiErrorBody, type FieldError } from "#lib/contract/error/api-error";
import { StepError, type StepErrorPayload } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { findCase, type RuleCase } from "#lib/core/expressions/find-case";
import { findMismatches } from "#lib/core/input/find-mismatches";
import { type CallbackReading, type ReceivedCallback, readCallback } from "#lib/core/input/read-callback";
import { type EventReading, type ReceivedEvent, readEvent } from "#lib/core/redaction/read-event";

/** The jobs and their results. */
interface ComputeWork {
  /** The first case whose rules hold, with the budget of a whole step. */
  find_case: { job: { cases: readonly RuleCase[] }; result: number };
  /** Which of the objects in a model's text is the one that matches a schema. */
  check_object: { job: { text: string; schema: Record<string, unknown> }; result: number };
  /** What of a value does not match a schema from outside; nothing if the schema cannot be used. */
  check_value: { job: { value: unknown; schema: JsonObject }; result: FieldError[] };
  /** The body of a delivery as a run's input. */
  read_event: { job: { event: ReceivedEvent }; result: EventReading };
  /** The body of a callback, checked against the schema of its step. */
  read_callback: { job: { callback: ReceivedCallback }; result: CallbackReading };
}

type JobKind = keyof ComputeWork;
export type ComputeJob = { [Kind in JobKind]: { kind: Kind } & ComputeWork[Kind]["job"] }[JobKind];
export type JobResult<Kind extends JobKind> = ComputeWork[Kind]["result"];

export type ComputeReply = {
  /** A child does not wear out: it runs our own code and keeps nothing of a job. */
  isWorn: false;
} & ({ result: unknown } | { error: StepErrorPayload } | { refusal: ApiErrorBody } | { fault: string });

/** Does one job. Runs in a child process. */
export function answerJob(job: ComputeJob): ComputeReply {
  try {
    return { isWorn: false, result: doJob(job) };
  } catch (error) {
    if (error instanceof StepError) return { isWorn: false, error: error.toPayload() };
    if (error instanceof ApiError) return { isWorn: false, refusal: error.toBody() };
    return { isWorn: false, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** @throws StepError, ApiError */
function doJob(job: ComputeJob): JobResult<JobKind> {
  switch (job.kind) {
    case "find_case":
      return findCase(job.cases);
    case "check_object":
      return findObject(job.text, job.schema);
    case "check_value":
      return findMismatches(job.schema, job.value);
    case "read_event":
      return readEvent(job.event);
    case "read_callback":
      return readCallback(job.callback);
  }
}
