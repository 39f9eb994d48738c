import { describeError } from "#lib/platform/sandbox/guest/describe-error";
import { Unwritable, writeResult } from "#lib/platform/sandbox/guest/write-result";

type Main = (input: unknown) => unknown;

/** Characters, not bytes: the host counts exactly; this avoids copying values that are far too large. */
const MAX_OUTPUT_CHARACTERS = 1_048_576;

// Captured before user code can change them.
const { parse } = JSON;
let outcome = "";

/** Calls the user's function. `readOutcome` returns the result once the job queue has run. */
export function startMain(main: Main, inputJson: string): void {
  void settle(async () => main(parse(inputJson)));
}

/**
 * "" while the call is running, then a letter and a text: `V` and the JSON of the value, `L` when it is too large, `N`
 * and the reason why it has no JSON, `E` and the JSON of the thrown value.
 */
export function readOutcome(): string {
  return outcome;
}

async function settle(run: () => Promise<unknown>): Promise<void> {
  try {
    outcome = writeValue(await run());
  } catch (error) {
    outcome = `E${describeError(error)}`;
  }
}

function writeValue(value: unknown): string {
  if (value === undefined) return "Vnull";
  let text: string | undefined;
  try {
    text = writeResult(value);
  } catch (error) {
    return `N${describeError(error instanceof Unwritable ? error.message : error)}`;
  }
  if (typeof text !== "string") return `N${describeError(`a ${typeof value} cannot be written as JSON`)}`;
  return text.length > MAX_OUTPUT_CHARACTERS ? "L" : `V${text}`;
}
