import type { Arena } from "#bench/abuse/attack";
import { inParallel } from "#bench/abuse/in-parallel";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { db } from "#lib/platform/db/pool";

export interface Backlog {
  /** Counts the attacker's runs that have not started. */
  countQueued(): Promise<number>;
  /** Counts the attacker's ended runs by status. */
  countEnded(): Promise<Record<string, number>>;
}

const WRITERS = 8;

/**
 * Calls one of the attacker's actions many times. It calls the API's use case directly, because the calls would take
 * minutes over HTTP.
 */
export async function openBacklog(
  { attacker, tally }: Pick<Arena, "attacker" | "tally">,
  slug: string,
  count: number,
  input: JsonObject = {},
): Promise<Backlog> {
  const { workspaceId, userId, plan } = attacker;
  const call = { workspaceId, userId, plan, slug, input, dryRun: false, source: "action" as const };
  await inParallel({ connections: WRITERS, count, over: new AbortController().signal }, async () => {
    try {
      await runAction(call);
      tally.add("run accepted");
    } catch (error) {
      tally.add(`run refused: ${(error as { code?: string }).code ?? (error as Error).message}`);
    }
  });
  const countBy = async (condition: string) => {
    const { rows } = await db().query<{ status: string; count: number }>({
      text: `select status, count(*)::int as count from runs where workspace_id = $1 and ${condition} group by status`,
      values: [workspaceId],
    });
    return Object.fromEntries(rows.map((row) => [row.status, row.count]));
  };
  return {
    countQueued: async () => (await countBy("status = 'accepted'")).accepted ?? 0,
    countEnded: () => countBy("completed_at is not null"),
  };
}
