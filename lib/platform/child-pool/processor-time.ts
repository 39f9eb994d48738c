import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { promisify } from "node:util";

/** Linux counts the processor time of processes in hundredths of a second. */
const TICK_MS = 10;
/**
 * A third of what a process with normal priority gets. With 10, a tenth, honest code that computes for two seconds took
 * more than 30 s on a busy machine.
 */
export const LOW_PRIORITY = 5;

/** What the system says of a process or a thread. */
interface ProcessorUse {
  cpuMs: number;
  /** True if it computes, or waits for nothing but a processor. */
  isRunnable: boolean;
}

/** Returns the CPU time that a process has used, in ms; null where the system does not show it as a file. */
export function readCpuMs(pid: number): number | null {
  return readUse(`/proc/${pid}/stat`)?.cpuMs ?? null;
}

/** Returns what the main thread of this process uses; null where the system does not show it. Any thread may ask. */
export function readMainThread(): ProcessorUse | null {
  return readUse(`/proc/self/task/${process.pid}/stat`);
}

function readUse(path: string): ProcessorUse | null {
  if (process.platform !== "linux") return null;
  try {
    const text = readFileSync(path, "utf8");
    // The name of the program is in parentheses and may contain anything. `state`, `utime` and `stime` are fields 3, 14
    // and 15.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, isRunnable: fields[0] === "R" };
  } catch {
    return null;
  }
}

/** Returns the CPU time that a process has used, in ms, on any system that has `ps`; null if it cannot be measured. */
export async function measureCpuMs(pid: number): Promise<number | null> {
  if (process.platform === "linux") return readCpuMs(pid);
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "time=", "-p", String(pid)]);
    return parseCpuTime(stdout);
  } catch {
    return null;
  }
}

/** Reads the CPU time that `ps` prints: `[[days-]hours:]minutes:seconds`, on macOS with hundredths. */
export function parseCpuTime(text: string): number | null {
  const match = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text.trim());
  if (!match) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000);
}

/** Lets other processes run first. Only a privileged process can undo it. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended, or the system does not allow it: the time limits still apply.
  }
}
