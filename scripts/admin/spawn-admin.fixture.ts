import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

interface SpawnOptions {
  input?: string;
  /** Overrides the settings of the test. */
  env?: Record<string, string>;
}

/**
 * Runs the command in a separate process, as a user does.
 * @param folder the data folder and the folder of the user
 */
export async function spawnAdmin(folder: string, args: readonly string[], { input = "", env = {} }: SpawnOptions = {}) {
  const child = spawn(process.execPath, ["scripts/admin.ts", ...args], {
    env: { ...process.env, DATA_DIR: folder, INIT_CWD: folder, ...env },
  });
  child.stdin.end(input);
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, stdout, stderr };
}
