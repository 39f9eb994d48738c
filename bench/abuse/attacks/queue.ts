import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { publishAction } from "#bench/abuse/make-tenants";
import { openBacklog } from "#bench/abuse/open-backlog";
import { serve } from "#bench/stage/start-stub";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";

const SLUG = "slow";
const RUNS = { full: 10_000, short: 400 };
/** A little less than the contract's limit of a step, so that the step succeeds. */
const ANSWER_MS = 29_000;

/** Fills the queue with runs that each hold a slot for half a minute. */
export const openQueue: OpenAttack = async (arena: Arena) => {
  const upstream = await serve((_request, response) => {
    setTimeout(() => response.end("{}"), ANSWER_MS);
  });
  const params = { method: "GET", url: upstream.url };
  await publishAction(arena.attacker, SLUG, {
    nodes: [
      node("start", "action_input", { properties: [] }),
      node("call", "connector", { connector: "http", operation: "request", params }),
      node("out", "return_output", { properties: [] }),
    ],
    edges: edges("start>call", "call>out"),
  });
  const backlog = await openBacklog(arena, SLUG, RUNS[arena.size]);
  return {
    run: async () => {},
    facts: async () => {
      const queued = await backlog.countQueued();
      return [fact("the attacker's backlog outlasts the attack", queued > 0, `${queued} runs queued`)];
    },
  };
};
