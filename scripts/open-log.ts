import { closeSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

const MAX_BYTES = 10 * 1_024 * 1_024;

/** Opens a log of the instance for appending; a large log of earlier starts is renamed first. */
export function openLog(dataDir: string, name: string): { fd: number; close(): void } {
  const folder = join(dataDir, "logs");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.log`);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES) renameSync(path, `${path}.1`);
  const fd = openSync(path, "a", 0o600);
  return { fd, close: () => closeSync(fd) };
}
