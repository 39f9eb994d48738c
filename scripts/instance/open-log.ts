import { mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

const MAX_BYTES = 10 * 1_024 * 1_024;
const STDOUT = 1;

/**
 * Returns true if the processes write their logs to the launcher's stdout. A container has no other place that lasts.
 */
export function isLoggedToStdout(env: NodeJS.ProcessEnv): boolean {
  return env.LOG_TO === "stdout";
}

/**
 * Opens one of the instance's logs for appending. Renames a large log of earlier starts first.
 * @returns the file, which the process inherits
 */
export function openLog(env: NodeJS.ProcessEnv, name: string): number {
  if (isLoggedToStdout(env)) return STDOUT;
  const folder = join(env.DATA_DIR ?? "", "logs");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.log`);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, "a", 0o600);
}
