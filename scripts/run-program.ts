import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";

interface ProgramOptions extends SpawnOptions {
  /** An open file that receives its output; without one, the output is returned. */
  output?: number;
  /** The file behind `output`; the error of a failure quotes its end. */
  logFile?: string;
}

/**
 * Runs a program to its end.
 * @throws Error with the end of its output when it cannot start or exits with another code than 0
 */
export async function runProgram(
  program: string,
  args: string[],
  { output, logFile, ...options }: ProgramOptions = {},
): Promise<{ output: string }> {
  const sink = output ?? "pipe";
  const child = spawn(program, args, { ...options, stdio: ["ignore", sink, sink] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  // `exit`, not `close`: a server that the program leaves behind keeps its output open.
  const [code, signal] = await once(child, output === undefined ? "close" : "exit");
  if (code === 0) return { output: text };
  const said = logFile ? await readTail(logFile) : text.trimEnd();
  const name = program.split("/").at(-1);
  throw new Error(
    `${said}\n\n${name} ${args[0] ?? ""} ended with ${code ?? signal}.${logFile ? ` The whole log: ${logFile}` : ""}`,
  );
}

/** Returns the last lines of a log, for the message of a failure. */
export async function readTail(file: string, lines = 20): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trimEnd().split("\n").slice(-lines).join("\n");
}
