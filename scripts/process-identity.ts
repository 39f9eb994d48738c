import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** True while a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When the process began, in a form to compare only: with it, a process id names one process for good. */
export function startTimeOf(pid: number): string | null {
  if (process.platform !== "linux") return ps(pid, "lstart");
  // Field 22, counted behind the command's name, which may hold spaces and parentheses itself.
  const stat = readProc(pid, "stat");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

/** The program and its arguments; empty when the process is gone. */
export function commandLineOf(pid: number): string {
  if (process.platform !== "linux") return ps(pid, "args") ?? "";
  return readProc(pid, "cmdline").replaceAll("\0", " ");
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
