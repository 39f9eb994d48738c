import { Script } from "node:vm";

/** The work took longer than it may and was torn off; whatever it was busy with is in no known state. */
export class TornOff extends Error {}

const SLOT = Symbol.for("sandbox.work");
const RUN_SLOT = new Script('globalThis[Symbol.for("sandbox.work")]()');

/**
 * Runs the work and ends it after `timeoutMs`, whatever it does: loops in WebAssembly too, which no interrupt handler
 * reaches while the interpreter is in one long built-in call. A watchdog of `node:vm` needs no thread of ours and no
 * parent that is still alive. It is no boundary here and need not be one.
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
