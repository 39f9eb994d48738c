import { StepError, type StepErrorCode } from "#lib/contract/step-error";

/** A step error of user code, with what the code had written to its console by then. */
export class SandboxError extends StepError {
  readonly console: string[];

  constructor(code: StepErrorCode, message: string, console: string[]) {
    super(code, message);
    this.console = console;
  }
}
