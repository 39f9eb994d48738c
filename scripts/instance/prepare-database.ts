import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Demo } from "#prisma/seed";
import type { SetupAnswer, SetupRequest } from "#scripts/instance/database-setup";
import { showStep } from "#scripts/progress";

interface Preparation {
  env: NodeJS.ProcessEnv;
  /** Null if no demo workspace is wanted. */
  demo: { password: string; rawKey?: string } | null;
}

/**
 * Applies the migrations, and creates the demo workspace in an empty database.
 * @throws Error that names the problem with the environment or the database
 */
export async function prepareDatabase({ env, demo }: Preparation): Promise<Demo | null> {
  return await withSetup(env, async (child) => {
    await showStep("Applying migrations", async (note) => {
      const answer = await ask(child, { task: "migrate" });
      if ("applied" in answer && answer.applied > 0) note(`${answer.applied} new`);
    });
    if (!demo) return null;
    return await showStep("Preparing the demo workspace", async () => {
      const answer = await ask(child, { task: "seed", ...demo });
      return "demo" in answer ? answer.demo : null;
    });
  });
}

/**
 * Checks ENCRYPTION_KEYS on a machine that applies no migrations, and remembers a new first key. Without the check, a
 * process with a wrong key would seal values that no other process can decrypt.
 * @throws Error naming the key that is missing or different
 */
export async function checkKeysOfDatabase(env: NodeJS.ProcessEnv): Promise<void> {
  await withSetup(env, (child) => showStep("Checking the encryption keys", () => ask(child, { task: "check_keys" })));
}

async function withSetup<T>(env: NodeJS.ProcessEnv, work: (child: ChildProcess) => Promise<T>): Promise<T> {
  const child = fork(join(import.meta.dirname, "database-setup.ts"), [], {
    env: { ...env, LOG_LEVEL: "silent" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    return await work(child);
  } finally {
    if (child.connected) child.disconnect();
  }
}

async function ask(child: ChildProcess, request: SetupRequest): Promise<SetupAnswer> {
  const ended = once(child, "exit").then(([code, signal]) => ({ error: `The set-up ended with ${code ?? signal}.` }));
  child.send(request);
  const answer = await Promise.race([once(child, "message").then(([message]) => message as SetupAnswer), ended]);
  if ("error" in answer) throw new Error(answer.error);
  return answer;
}
