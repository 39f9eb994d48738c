import type { StepErrorReason } from "#lib/contract/error/error-reasons";
import { StepError, type StepErrorCode, type StepErrorDetails } from "#lib/contract/run/step-error";

/** A step error of user code, with the console output up to that moment. */
export class SandboxError extends StepError {
  readonly console: string[];

  constructor(
    kind: StepErrorCode | StepErrorReason,
    message: string,
    console: string[],
    details: StepErrorDetails = {},
  ) {
    super(kind, message, details);
    this.console = console;
  }
}
