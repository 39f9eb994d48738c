import type { StepErrorReason } from "#lib/contract/error-reasons";
import { StepError } from "#lib/contract/step-error";

/** A step error of user code, with the console output up to that moment. */
export class SandboxError extends StepError {
  readonly console: string[];

  constructor(reason: StepErrorReason, message: string, console: string[]) {
    super(reason, message);
    this.console = console;
  }
}
