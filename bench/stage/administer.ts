import { runProgram } from "#scripts/run-program";

/** The output of the admin commands, as far as the benchmarks read it. */
export interface AdminAnswer {
  workspace_id?: string;
  raw_key?: string;
  workflow_id?: string;
  subscriptions?: { url?: string }[];
  readable?: Record<string, number>;
}

/**
 * Runs an admin command and waits for its end.
 * @param env names the instance or its database
 * @param cwd the folder of another release
 */
export async function administer(env: NodeJS.ProcessEnv, args: string[], cwd?: string): Promise<AdminAnswer> {
  const { output } = await runProgram(process.execPath, ["scripts/admin.ts", ...args], { env, cwd });
  return JSON.parse(output) as AdminAnswer;
}
