import { killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { db } from "#lib/platform/db/pool";
import { isAlive } from "#scripts/instance/process-identity";

/**
 * Sends SIGSTOP, waits until the others have declared the worker dead and taken its runs, then sends SIGCONT.
 * @returns true if the worker ended itself
 */
export async function wakeZombie(pid: number): Promise<boolean> {
  killHard(pid, "SIGSTOP");
  // This deadline is longer than the kills around it: a worker judges others only after its own heartbeats were
  // unbroken for 5 s.
  await until("the others to take a zombie's runs", () => isDeclaredDead(pid), { deadlineMs: 240_000 });
  killHard(pid, "SIGCONT");
  return until("a zombie to end itself", () => !isAlive(pid), { deadlineMs: 15_000 }).catch(() => {
    killHard(pid);
    return false;
  });
}

export async function isDeclaredDead(pid: number): Promise<boolean> {
  const { rows } = await db().query<{ dead: boolean }>({
    text: "select bool_and(dead_at is not null) as dead from worker_heartbeats where pid = $1",
    values: [pid],
  });
  return rows[0]?.dead ?? false;
}
