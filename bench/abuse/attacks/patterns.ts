import { setTimeout as sleep } from "node:timers/promises";
import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { inParallel } from "#bench/abuse/in-parallel";
import { publishAction } from "#bench/abuse/make-tenants";
import { callTool, send } from "#bench/abuse/send";
import { isServerFault, NO_ANSWER } from "#bench/abuse/tally";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";

/**
 * Hostile patterns of at most 1,000 characters, the limit for every pattern. A counted repetition unfolds to as many
 * states as its count: the first pattern takes a second to compile and the memory of 140,000 states.
 */
const PATTERNS = [
  "x{1000}".repeat(140),
  "(a{1000}){1000}",
  "((a{100}){100}){100}",
  "\\pL{1000}".repeat(109),
  "(?:(?:a{0,1000}){0,1000}){0,1000}",
  "(a{1000})".repeat(109),
  Array.from({ length: 120 }, (_, index) => `(a${index}b)*`).join("|"),
  "(?:a?){1000}".repeat(82),
  "[\\pL\\pN]{0,1000}".repeat(61),
];
/** A pattern that compiles quickly and matches slowly: it has hundreds of states per character. */
const SLOW_PATTERN = "(?:a?){200}b";
/** The lengths of two texts: one match takes half a second on the first, and far longer on the second. */
const TEXT_CHARACTERS = [12_000, 900_000];
const ITEMS = 1_000;
const CONDITIONS = 65;
const CONNECTIONS = 6;
const SHORT_COUNT = 20;

/** Sends hostile patterns on every path that compiles or matches a pattern: drafts, publishing, and runs. */
export const openPatterns: OpenAttack = async (arena: Arena) => {
  await publishAction(arena.attacker, "match-once", matchOnce());
  await publishAction(arena.attacker, "match-each", matchEach());
  const count = arena.size === "short" ? SHORT_COUNT : Number.POSITIVE_INFINITY;
  return {
    run: (over) =>
      inParallel({ connections: CONNECTIONS, over, count }, async (index) => {
        const isLimited = await MOVES[index % MOVES.length]?.(arena, Math.floor(index / MOVES.length), over);
        // The key's window is used up, so the attacker waits like any client.
        if (isLimited) await sleep(1_000, undefined, { signal: over }).catch(() => {});
      }),
    facts: () => {
      const others = arena.tally.count((what) => what === NO_ANSWER || isServerFault(what));
      const published = arena.tally.count((what) => what === PUBLISHED);
      return [
        fact("every call with a hostile pattern is answered, none with 5xx", others === 0, `${others} others`),
        fact("no workflow with a hostile pattern is published", published === 0, `${published} published`),
      ];
    },
  };
};

/** Moves that each make one attempt and return whether the attempt was over the key's limit. */
const MOVES: ((arena: Arena, round: number, over: AbortSignal) => Promise<boolean>)[] = [
  async (arena, round, over) => (await callTool(arena, "create_workflow", draft(round), over))?.code === LIMITED,
  (arena, round, over) => run(arena, "match-once", { pattern: patternOf(round), text: "a".repeat(1_000) }, over),
  async (arena, round, over) => {
    const created = await callTool(arena, "create_workflow", draft(round), over);
    const workflow = { workflow_id: created?.workflow_id };
    if (created?.code === LIMITED) return true;
    const deployed = await callTool(arena, "deploy_workflow", { ...workflow, slug: `pattern-${round}` }, over);
    if (deployed?.version !== undefined) arena.tally.add(PUBLISHED);
    await callTool(arena, "delete_workflow", workflow, over);
    return false;
  },
  (arena, round, over) => {
    const text = "a".repeat(TEXT_CHARACTERS[round % TEXT_CHARACTERS.length] ?? 0);
    const items = Array.from({ length: ITEMS }, (_, index) => index);
    return run(arena, "match-each", { pattern: SLOW_PATTERN, text, items }, over);
  },
];
const LIMITED = "RATE_LIMIT_EXCEEDED";
const PUBLISHED = "published";

const patternOf = (round: number) => PATTERNS[round % PATTERNS.length] ?? "";

async function run(arena: Arena, slug: string, input: JsonObject, over: AbortSignal): Promise<boolean> {
  const path = `/api/v1/runtime/actions/${slug}/run`;
  const { headers } = arena.attacker;
  return (await send(arena, { path, headers, body: JSON.stringify({ input }), over })).status === 429;
}

const start = (...names: string[]) =>
  node("start", "action_input", {
    properties: names.map((name) => ({ name, type: name === "items" ? "array" : "string", required: true })),
  });
const out = node("out", "return_output", { properties: [] });
const rule = (left: string, right: string) => ({ match: "all", rules: [{ left, operator: "matches", right }] });

function matchOnce(): Definition {
  const check = node("check", "condition", rule("{{start.text}}", "{{start.pattern}}"));
  return {
    nodes: [start("text", "pattern"), check, out],
    edges: edges("start>check", "check.true>out", "check.false>out"),
  };
}

function matchEach(): Definition {
  const filter = node("filter", "filter", { items: "{{start.items}}", ...rule("{{start.text}}", "{{start.pattern}}") });
  return { nodes: [start("text", "pattern", "items"), filter, out], edges: edges("start>filter", "filter>out") };
}

/**
 * Returns a draft that compiles a pattern for each of its conditions. The patterns all differ, because equal patterns
 * are compiled once.
 */
function draft(round: number) {
  const checks = Array.from({ length: CONDITIONS }, (_, index) =>
    node(`c${index}`, "condition", rule("a", `${patternOf(round)}${round}z${index}`)),
  );
  const nodes = [start(), ...checks, out];
  const paths = nodes.slice(1).map(({ id }, index) => `${nodes[index]?.id}${index === 0 ? "" : ".true"}>${id}`);
  return { name: "Patterns", definition: { nodes, edges: edges(...paths) } };
}
