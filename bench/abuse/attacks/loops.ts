import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { publishAction } from "#bench/abuse/make-tenants";
import { openBacklog } from "#bench/abuse/open-backlog";
import type { Definition } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";

const RUNS = { full: 40, short: 4 };
const WIDE_STEPS = 20;

/** Starts runs of up to a million steps. */
export const openLoops: OpenAttack = async (arena: Arena) => {
  const items = Array.from({ length: LIMITS.loopIterations }, (_, index) => index);
  await publishAction(arena.attacker, "nested", loopInLoop());
  await publishAction(arena.attacker, "wide", longBody());
  const backlogs = [];
  return {
    run: async () => {
      for (const slug of ["nested", "wide"])
        backlogs.push(await openBacklog(arena, slug, RUNS[arena.size] / 2, { items }));
    },
    facts: async () => {
      const { rows } = await db().query<{ most: number }>({
        text: `select coalesce(max(events), 0)::int as most from (
                 select count(*) as events from execution_events where workspace_id = $1 group by run_id) as of_runs`,
        values: [arena.attacker.workspaceId],
      });
      const most = rows[0]?.most ?? 0;
      // Each step writes a start and an end.
      return [fact("no run writes more than 50,000 journal events", most <= 50_000, `at most ${most}`)];
    },
  };
};

const START = node("start", "action_input", { properties: [{ name: "items", type: "array", required: true }] });
const OUT = node("out", "return_output", { properties: [] });

function loopInLoop(): Definition {
  const outer = node("outer", "loop", { items: "{{start.items}}", concurrency: 10 });
  const inner = { ...node("inner", "loop", { items: "{{start.items}}", concurrency: 10 }), parentId: "outer" };
  const step = {
    ...node("step", "transform", { fields: [{ name: "n", value: "{{inner.item}}" }] }),
    parentId: "inner",
  };
  return { nodes: [START, outer, inner, step, OUT], edges: edges("start>outer", "outer>out") };
}

function longBody(): Definition {
  const loop = node("outer", "loop", { items: "{{start.items}}", concurrency: 10 });
  const steps = Array.from({ length: WIDE_STEPS }, (_, index) => ({
    ...node(`s${index}`, "transform", { fields: [{ name: "n", value: "{{outer.item}}" }] }),
    parentId: "outer",
  }));
  const inside = steps.slice(1).map(({ id }, index) => `${steps[index]?.id}>${id}`);
  return { nodes: [START, loop, ...steps, OUT], edges: edges("start>outer", ...inside, "outer>out") };
}
