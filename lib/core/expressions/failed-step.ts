import type { StepErrorPayload } from "#lib/contract/run/step-error";

/**
 * What later steps read of a step that failed: its error. There is no output, so the step as a whole is null in a
 * template.
 */
export class FailedStep {
  readonly error: StepErrorPayload | null;

  constructor(error: StepErrorPayload | null) {
    this.error = error;
  }
}
