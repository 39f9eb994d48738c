import { vi } from "vitest";

/**
 * Checks repeatedly until the expectation is met. The timeout is much longer than any check needs, because Vitest's own
 * limit of a second depends more on how busy the machine is than on the code.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 120_000, interval: 20 });
}
