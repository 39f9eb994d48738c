import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { listSnippets } from "#lib/api/documentation/snippet.fixture";
import { runProgram } from "#scripts/run-program";

/** The guide whose commands the drill runs, so that the drill tests the guide itself. */
const GUIDE = "docs/guides/back-up-and-restore.md";

interface CommandOptions {
  /** The folder in which the command runs. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  uid?: number | undefined;
  gid?: number | undefined;
}

/** A command that runs until it is stopped. */
export interface RunningCommand {
  stop(): Promise<void>;
}

/**
 * Returns the command block of the guide that starts with `start`.
 * @throws Error if there is no such block
 */
export async function readGuideCommand(start: string): Promise<string> {
  const found = listSnippets(GUIDE, await readFile(GUIDE, "utf8")).filter(({ code }) => code.startsWith(start));
  const [snippet] = found;
  if (snippet && found.length === 1) return snippet.code;
  throw new Error(`${GUIDE} has ${found.length} blocks of commands that start with: ${start}`);
}

/** @throws Error with the command's output */
export async function runCommand(code: string, options: CommandOptions): Promise<void> {
  await runProgram("sh", ["-eu", "-c", code], options);
}

/** Starts a command that does not end by itself. */
export function startCommand(code: string, options: CommandOptions): RunningCommand {
  const child = spawn("sh", ["-eu", "-c", `exec ${code}`], { ...options, stdio: "ignore" });
  return {
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGINT");
      await once(child, "exit");
    },
  };
}
