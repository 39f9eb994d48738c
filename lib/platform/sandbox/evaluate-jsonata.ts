import { callSandbox, type SandboxRequest } from "#lib/platform/sandbox/call-sandbox";

/**
 * Returns the value of a JSONata 2 expression for an input (decisions, The graph document: `transform`). Expressions
 * are programs, so they run in the code sandbox, with the same limits.
 * @returns the value; null when the expression finds nothing
 * @throws StepError TIMEOUT, VALIDATION_ERROR (the message names the character), UNKNOWN; or the signal's reason
 */
export async function evaluateJsonata(
  expression: string,
  input: unknown,
  options: Omit<SandboxRequest, "source" | "input">,
): Promise<unknown> {
  const { value } = await callSandbox("jsonata", { ...options, source: expression, input });
  return value;
}
