import { setTimeout as sleep } from "node:timers/promises";
import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { inParallel } from "#bench/abuse/in-parallel";
import { publishAction } from "#bench/abuse/make-tenants";
import { callTool, send } from "#bench/abuse/send";
import { isServerFault, NO_ANSWER } from "#bench/abuse/tally";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";

const CONNECTIONS = { full: 30, short: 6 };
const SHORT_COUNT = 12;
const ITERATIONS = 1_000;
/** The length of each item's text. Each iteration writes its input and its output. A run's outputs may total 10 MiB. */
const TEXT_CHARACTERS = 9_500;
const PATIENCE_MS = 240_000;

/** Reads the largest journal that a run can write, on many connections at once. */
export const openReads: OpenAttack = async (arena: Arena) => {
  const runId = await writeLargestJournal(arena);
  const paths = [`?steps=full`, `?include=events`, `?steps=full&include=events`];
  return {
    run: (over) => {
      const count = arena.size === "short" ? SHORT_COUNT : Number.POSITIVE_INFINITY;
      return inParallel({ connections: CONNECTIONS[arena.size], over, count }, async (index) => {
        const { headers } = arena.attacker;
        if (index % 4 === 3) {
          const answer = await callTool(arena, "get_run_status", { run_id: runId, steps: "full" }, over);
          if (answer?.code !== "RATE_LIMIT_EXCEEDED") return;
        } else {
          const path = `/api/v1/runtime/runs/${runId}${paths[index % paths.length]}`;
          const sent = await send(arena, { method: "GET", path, headers, over });
          if (sent.status !== 429) return;
        }
        await sleep(1_000, undefined, { signal: over }).catch(() => {});
      });
    },
    facts: () => {
      const unanswered = arena.tally.count((what) => what === NO_ANSWER || isServerFault(what));
      return [fact("every read is answered, none with 5xx", unanswered === 0, `${unanswered} others`)];
    },
  };
};

async function writeLargestJournal({ attacker, size }: Arena): Promise<string> {
  const properties = [
    { name: "items", type: "array", required: true },
    { name: "text", type: "string", required: true },
  ];
  const loop = node("each", "loop", { items: "{{start.items}}", concurrency: 10 });
  const copy = node("copy", "transform", { fields: [{ name: "text", value: "{{each.index}} {{start.text}}" }] });
  await publishAction(attacker, "large-journal", {
    nodes: [
      node("start", "action_input", { properties }),
      loop,
      { ...copy, parentId: "each" },
      node("out", "return_output", { properties: [] }),
    ],
    edges: edges("start>each", "each>out"),
  });
  const iterations = size === "short" ? ITERATIONS / 5 : ITERATIONS;
  const input = { items: Array.from({ length: iterations }, (_, index) => index), text: "x".repeat(TEXT_CHARACTERS) };
  const { workspaceId, userId, plan } = attacker;
  const call = { workspaceId, userId, plan, slug: "large-journal", input, dryRun: false, source: "action" as const };
  const { run } = await runAction(call);
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; await sleep(200)) {
    const { rows } = await db().query<{ status: string; error: unknown }>({
      text: "select status, error from runs where id = $1 and completed_at is not null",
      values: [run.run_id],
    });
    if (!rows[0]) continue;
    // A run that exceeded a budget has written as much as it may.
    return run.run_id;
  }
  throw new Error("the run with the large journal has not ended");
}
