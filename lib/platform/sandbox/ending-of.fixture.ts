import { expect } from "vitest";
import type { StepErrorCode } from "#lib/contract/run/step-error";
import { runUserCode } from "#lib/platform/sandbox/run-user-code";

/**
 * Runs in one built-in call that the interpreter cannot interrupt. The call allocates nothing, so only a time limit can
 * end it.
 */
export const UNINTERRUPTIBLE = "return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)";

/** Long enough on a busy machine for code that ends by itself. */
const PATIENT_MS = 600_000;
const { signal } = new AbortController();
const defaults = { workspaceId: "w", input: { a: 1 }, timeoutMs: PATIENT_MS, cpuMs: PATIENT_MS, signal };

type Ending = { code: StepErrorCode; message: string } | { value: unknown };

export async function endingOf(source: string, limits: { cpuMs?: number; memoryBytes?: number } = {}): Promise<Ending> {
  try {
    const { value } = await runUserCode({ ...defaults, source, ...limits });
    return { value };
  } catch (error) {
    const { code, message } = error as { code: StepErrorCode; message: string };
    return { code, message };
  }
}

/** The error of code that cannot run or exceeds a limit. */
export const invalid = (message: string) => ({
  code: "VALIDATION_ERROR",
  message: expect.stringContaining(message),
});
/** The error of code that ran and threw. */
export const threw = (message: string) => ({ code: "UNKNOWN", message: expect.stringContaining(message) });

/** Expects that this process and the next call are unaffected. */
export async function expectUnharmed(): Promise<void> {
  expect(await endingOf("return Object.keys(globalThis).length + input.a")).toEqual({ value: 1 });
  expect(Reflect.get(Object.prototype, "polluted")).toBeUndefined();
}
