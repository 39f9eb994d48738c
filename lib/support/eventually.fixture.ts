import { vi } from "vitest";

/**
 * Looks again and again until what is expected is so, far longer than it ever takes: Vitest's own limit of a second says
 * more about how busy the machine is than about the code.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 30_000, interval: 20 });
}
