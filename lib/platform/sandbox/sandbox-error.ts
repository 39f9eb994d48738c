import type { StepErrorReason } from "#lib/contract/error-reasons";
import { StepError } from "#lib/contract/step-error";

/** A step error of user code, with what the code had written to its console by then. */
export class SandboxError extends StepError {
  readonly console: string[];

  constructor(reason: StepErrorReason, message: string, console: string[]) {
    super(reason, message);
    this.console = console;
  }
}
