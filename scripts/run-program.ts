import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";

interface ProgramOptions extends SpawnOptions {
  /** An open file that receives the output. Without it, the output is returned. */
  output?: number;
  /** The path of the file behind `output`. An error quotes the end of this file. */
  logFile?: string;
  /** Lets other processes go first, where they want the same cores. */
  givesWay?: boolean;
}

/**
 * Runs a program to its end.
 * @throws Error with the end of its output if it cannot start, or exits with a code other than 0
 */
export async function runProgram(
  program: string,
  args: string[],
  { output, logFile, givesWay = false, ...options }: ProgramOptions = {},
): Promise<{ output: string }> {
  const sink = output ?? "pipe";
  const child = spawn(program, args, { ...options, stdio: ["ignore", sink, sink] });
  // Its threads start later, with the same priority.
  if (givesWay && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  // Waits for `exit` instead of `close`, because a server that the program leaves running keeps the output open.
  const [code, signal] = await once(child, output === undefined ? "close" : "exit");
  if (code === 0) return { output: text };
  const said = logFile ? await readTail(logFile) : text.trimEnd();
  const name = program.split("/").at(-1);
  throw new Error(
    `${said}\n\n${name} ${args[0] ?? ""} ended with ${code ?? signal}.${logFile ? ` The whole log: ${logFile}` : ""}`,
  );
}

/** Returns a log's last lines, for an error message. */
export async function readTail(file: string, lines = 20): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trimEnd().split("\n").slice(-lines).join("\n");
}
