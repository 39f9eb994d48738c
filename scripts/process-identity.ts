import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** True while a process with this id runs, whoever owns it. One that ended and was not yet asked for its exit is gone. */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") return /^[^ZX]/.test(readStat(pid)[0] ?? "");
  return /^[^Z]/.test(ps(pid, "stat") ?? "");
}

/** When the process began, in a form to compare only: with it, a process id names one process for good. */
export function startTimeOf(pid: number): string | null {
  if (process.platform === "linux") return readStat(pid)[19] ?? null;
  return ps(pid, "lstart");
}

/** The program and its arguments; empty when the process is gone. */
export function commandLineOf(pid: number): string {
  if (process.platform !== "linux") return ps(pid, "args") ?? "";
  return readProc(pid, "cmdline").replaceAll("\0", " ");
}

/** What stands behind the command's name, which may hold spaces and parentheses itself: state, parent and so on. */
function readStat(pid: number): string[] {
  const stat = readProc(pid, "stat");
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

// Slim containers have no `ps`.
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
