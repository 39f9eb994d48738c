import { Script } from "node:vm";

/** The work took longer than allowed and was interrupted by force; its state is unknown. */
export class TornOff extends Error {}

const SLOT = Symbol.for("sandbox.work");
const RUN_SLOT = new Script('globalThis[Symbol.for("sandbox.work")]()');

/**
 * Runs the work and ends it after `timeoutMs`, whatever it does: even loops in WebAssembly, which no interrupt handler
 * reaches while the interpreter is in one long built-in call. A watchdog of `node:vm` needs neither a thread of ours
 * nor a living parent. It is not a security boundary here.
 * @throws TornOff, or what the work throws
 */
export function withWatchdog<T>(timeoutMs: number, work: () => T): T {
  let result: { value: T } | null = null;
  Reflect.set(globalThis, SLOT, () => {
    result = { value: work() };
  });
  try {
    RUN_SLOT.runInThisContext({ timeout: timeoutMs });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new TornOff();
    throw error;
  } finally {
    Reflect.deleteProperty(globalThis, SLOT);
  }
  return (result as { value: T } | null)?.value as T;
}
