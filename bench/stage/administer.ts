import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Definition } from "#lib/contract/workflow/graph";
import { runProgram } from "#scripts/run-program";

/** The output of the admin commands, as far as the benchmarks read it. */
interface AdminAnswer {
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

/** Creates what a load needs. The files of workflows are written to `folder`. */
export function openAdmin(env: NodeJS.ProcessEnv, folder: string, cwd?: string) {
  const run = (...args: string[]) => administer(env, args, cwd);
  return {
    addUser: (email: string, password: string) =>
      run("create-user", "--email", email, "--password", password, "--name", "Owner"),
    addWorkspace: async (slug: string, owner: string, plan = "business") =>
      (await run("create-workspace", "--slug", slug, "--owner", owner, "--plan", plan)).workspace_id ?? "",
    addKey: async (workspace: string, name: string, scopes: string) =>
      (await run("create-key", "--workspace", workspace, "--name", name, "--scopes", scopes)).raw_key ?? "",
    deploy: async (workspace: string, name: string, definition: Definition, ...options: string[]) => {
      const file = join(folder, `${workspace}-${name}.json`);
      await writeFile(file, JSON.stringify({ name, definition }));
      const { workflow_id = "" } = await run("import-workflow", "--workspace", workspace, "--file", file);
      return run("deploy-workflow", "--workflow-id", workflow_id, ...options);
    },
  };
}
