import { randomUUID } from "node:crypto";
import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { inParallel } from "#bench/abuse/in-parallel";
import { send } from "#bench/abuse/send";
import { NO_ANSWER } from "#bench/abuse/tally";
import { LIMITS } from "#lib/contract/limits";
import { addTrigger, STANDARD_SECRET, signStandard } from "#lib/domain/triggers/trigger.fixture";
import { db } from "#lib/platform/db/pool";

const CONNECTIONS = 20;
const SHORT_COUNT = 400;
const LARGE_CHARACTERS = LIMITS.bodyBytes - 100;

/**
 * Sends far more deliveries than the hourly limit. Some have no signature, some are large, and some go to no
 * subscription.
 */
export const openWebhooks: OpenAttack = async (arena: Arena) => {
  const trigger = { kind: "webhook", scheme: "standard", secret: STANDARD_SECRET };
  const { subscriptionId } = await addTrigger(arena.attacker, trigger);
  const large = JSON.stringify({ text: "x".repeat(LARGE_CHARACTERS) });
  const deliver = (index: number, over: AbortSignal) => {
    const kind = index % 4;
    const body = kind === 2 ? large : JSON.stringify({ index });
    const id = randomUUID();
    const signature = kind === 1 ? { "webhook-id": id } : signStandard(body, id);
    const path = `/webhooks/${kind === 3 ? randomUUID() : subscriptionId}`;
    return send(arena, { path, headers: { "content-type": "application/json", ...signature }, body, over });
  };
  return {
    run: (over) =>
      inParallel(
        { connections: CONNECTIONS, over, count: arena.size === "short" ? SHORT_COUNT : Number.POSITIVE_INFINITY },
        (index) => deliver(index, over),
      ),
    facts: async () => {
      const { rows } = await db().query<{ runs: number; bytes: number }>({
        text: `select count(*) filter (where status <> 'failed')::int as runs,
                 coalesce(sum(octet_length(input::text)) filter (where status = 'failed'), 0)::float8 as bytes
               from runs where workspace_id = $1`,
        values: [arena.attacker.workspaceId],
      });
      const { runs = 0, bytes = 0 } = rows[0] ?? {};
      const unanswered = arena.tally.count((what) => what === NO_ANSWER);
      return [
        fact("no more runs start than the hourly limit allows", runs <= LIMITS.runsPerUserPerHour, `${runs} runs`),
        fact("a refused delivery stores no body", bytes === 0, `${Math.round(bytes / 1_024)} KiB stored`),
        fact("every delivery is answered", unanswered === 0, `${unanswered} without an answer`),
      ];
    },
  };
};
