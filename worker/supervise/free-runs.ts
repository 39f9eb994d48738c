import type { DeclaredDead } from "#lib/domain/runs/recover/announce-losses";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import type { ProcessSpec } from "#worker/supervise/keep-running";

/** Frees what an ended worker held, and reports the runs that failed with it. */
export async function freeRuns(
  poolIds: readonly string[],
  { name, report }: Pick<ProcessSpec, "name" | "report">,
): Promise<DeclaredDead> {
  const dead = await declareDead(poolIds);
  const ids = dead.failed.map(({ id }) => id);
  if (ids.length > 0) report(`${name}: these runs failed because they lost three workers: ${ids.join(", ")}`);
  return dead;
}
