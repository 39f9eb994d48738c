import { setTimeout as sleep } from "node:timers/promises";
import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { publishAction } from "#bench/abuse/make-tenants";
import { openBacklog } from "#bench/abuse/open-backlog";
import { LIMITS } from "#lib/contract/limits";
import type { Definition } from "#lib/contract/workflow/graph";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";

/** The number of runs of each action. */
const RUNS = { full: 20, short: 2 };
/** Steps in the long loop's body: 1,000 iterations of 19 steps stay just below the limit of a run's steps. */
const LONG_BODY = 19;
const PATIENCE_MS = 20_000;

/** Starts runs of a million steps, and runs that stay just below the limit of a run's steps. */
export const openLoops: OpenAttack = async (arena: Arena) => {
  const items = Array.from({ length: LIMITS.loopIterations }, (_, index) => index);
  await publishAction(arena.attacker, "nested", loopInLoop());
  await publishAction(arena.attacker, "long", longBody());
  return {
    run: async () => {
      await openBacklog(arena, "long", RUNS[arena.size], { items });
      await openBacklog(arena, "nested", RUNS[arena.size], { items });
    },
    facts: async () => {
      const { refused, most } = await untilRefused(arena, RUNS[arena.size]);
      return [
        fact(
          `a run of more than ${LIMITS.runSteps} steps is refused, and writes no more than these`,
          // The full attack ends before its last runs get their turn.
          (arena.size === "full" || refused === RUNS.short) && most <= EVENTS_PER_STEP * LIMITS.runSteps,
          `${refused} of ${RUNS[arena.size]} refused, at most ${most} journal events`,
        ),
      ];
    },
  };
};

/** The journal events of each step: one for its start and one for its end. */
const EVENTS_PER_STEP = 2;

/**
 * Waits until the runs that are too large are refused. They queue behind the attacker's other runs, so this may take a
 * while.
 */
async function untilRefused({ attacker, size }: Arena, count: number): Promise<{ refused: number; most: number }> {
  for (const endMs = performance.now() + (size === "short" ? PATIENCE_MS : 0); ; await sleep(100)) {
    const { rows } = await db().query<{ refused: number; most: number }>({
      text: `select count(*) filter (where status = 'failed' and error ->> 'reason' = 'run_too_large')::int as refused,
               coalesce(max((select count(*) from journal_events(r.id))), 0)::int as most
             from runs r where workspace_id = $1 and action_slug = 'nested'`,
      values: [attacker.workspaceId],
    });
    const found = rows[0] ?? { refused: 0, most: 0 };
    if (found.refused === count || performance.now() > endMs) return found;
  }
}

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
  const steps = Array.from({ length: LONG_BODY }, (_, index) => ({
    ...node(`s${index}`, "transform", { fields: [{ name: "n", value: "{{outer.item}}" }] }),
    parentId: "outer",
  }));
  const inside = steps.slice(1).map(({ id }, index) => `${steps[index]?.id}>${id}`);
  return { nodes: [START, loop, ...steps, OUT], edges: edges("start>outer", ...inside, "outer>out") };
}
