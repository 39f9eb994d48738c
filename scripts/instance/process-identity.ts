import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Returns true while a process with this id runs, for any owner. A process that has ended but still waits for its
 * parent counts as gone.
 */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") return /^[^ZX]/.test(readStat(pid)[0] ?? "");
  return /^[^Z]/.test(ps(pid, "stat") ?? "");
}

/**
 * Returns the process's start time, only for comparisons. Together with it, a process id identifies one process
 * forever.
 */
export function startTimeOf(pid: number): string | null {
  if (process.platform === "linux") return readStat(pid)[19] ?? null;
  return ps(pid, "lstart");
}

/** Returns the program and its arguments, or an empty string if the process is gone. */
export function commandLineOf(pid: number): string {
  if (process.platform !== "linux") return ps(pid, "args") ?? "";
  return readProc(pid, "cmdline").replaceAll("\0", " ");
}

/** Returns the fields after the command's name, which may contain spaces and parentheses: state, parent, and so on. */
function readStat(pid: number): string[] {
  const stat = readProc(pid, "stat");
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

// Reads /proc, because slim containers have no `ps`.
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

function ps(pid: number, column: string): string | null {
  try {
    const args = ["-ww", "-o", `${column}=`, "-p", String(pid)];
    return execFileSync("ps", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() || null;
  } catch {
    return null;
  }
}
