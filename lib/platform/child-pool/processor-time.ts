import { readFileSync } from "node:fs";
import { setPriority } from "node:os";

/** Linux counts the processor time of processes in hundredths of a second. */
const TICK_MS = 10;
/** Nice values end at 19. This one gets about a tenth of what a process with normal priority gets. */
const LOW_PRIORITY = 10;

/** Returns the CPU time that a process has used, in ms; null where the system does not show it as a file. */
export function readCpuMs(pid: number): number | null {
  if (process.platform !== "linux") return null;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program is in parentheses and may contain anything. `utime` and `stime` are fields 14 and 15.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}

/** Lets other processes run first. Only a privileged process can undo it. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended, or the system does not allow it: the time limits still apply.
  }
}
