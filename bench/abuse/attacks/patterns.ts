import { setTimeout as sleep } from "node:timers/promises";
import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { inParallel } from "#bench/abuse/in-parallel";
import { publishAction } from "#bench/abuse/make-tenants";
import { callTool, send } from "#bench/abuse/send";
import { isServerFault, NO_ANSWER } from "#bench/abuse/tally";
import type { Definition } from "#lib/contract/graph";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";

/** Short to write, large to compile. None of them has more than the thousand characters that a pattern may have. */
export const HOSTILE_PATTERNS = [
  "(a{1000}){1000}",
  "((a{100}){100}){100}",
  "(?:(?:a{0,1000}){0,1000}){0,1000}",
  "(\\pL{500}|\\pN{500}){400}",
  "((a|b|c|d|e|f|g|h){0,500}x){500}",
  Array.from({ length: 166 }, (_, index) => `(a${index}b)*`)
    .join("|")
    .slice(0, 995),
  `${"(a?".repeat(300)}${")".repeat(30)}`,
  `${"(".repeat(490)}a${")*".repeat(250)}`.slice(0, 990),
];
/** Linear to match, but not free: 200 of these states per character of a megabyte. */
const SLOW_PATTERN = "(?:a?){200}b";
const CONDITIONS = 65;
const SLUG = "match-any";
const CONNECTIONS = 6;
const TEXT_CHARACTERS = 900_000;

/** Sends hostile patterns on every path that compiles one: drafts, checks, publishing, and runs. */
export const openPatterns: OpenAttack = async (arena: Arena) => {
  await publishAction(arena.attacker, SLUG, conditionOn("{{start.text}}", "{{start.pattern}}"));
  const drafts = HOSTILE_PATTERNS.map((pattern) => manyConditions(pattern));
  return {
    run: (over) =>
      inParallel(
        { connections: CONNECTIONS, over, count: arena.size === "short" ? 24 : Number.POSITIVE_INFINITY },
        async (index) => {
          const pattern = HOSTILE_PATTERNS[Math.floor(index / 3) % HOSTILE_PATTERNS.length] ?? "";
          const isLimited = await attackOnce(arena, index % 3, pattern, drafts, over);
          // The key's window is empty: the attacker waits like any client.
          if (isLimited) await sleep(1_000, undefined, { signal: over }).catch(() => {});
        },
      ),
    facts: () => {
      const unanswered = arena.tally.count((what) => what === NO_ANSWER || isServerFault(what));
      return [
        fact("every call with a hostile pattern is answered, none with 5xx", unanswered === 0, `${unanswered} others`),
      ];
    },
  };
};

/** @returns whether the call was over the key's limit */
async function attackOnce(
  arena: Arena,
  kind: number,
  pattern: string,
  drafts: Definition[],
  over: AbortSignal,
): Promise<boolean> {
  if (kind === 0) {
    const isLong = Math.random() < 0.5;
    const input = { pattern: isLong ? SLOW_PATTERN : pattern, text: "a".repeat(isLong ? TEXT_CHARACTERS : 1_000) };
    const path = `/api/v1/runtime/actions/${SLUG}/run`;
    const { headers } = arena.attacker;
    const sent = await send(arena, { path, headers, body: JSON.stringify({ input }), over });
    return sent.status === 429;
  }
  const definition = drafts[HOSTILE_PATTERNS.indexOf(pattern)];
  const created = await callTool(arena, "create_workflow", { name: "Patterns", definition }, over);
  if (kind === 1) return created?.code === "RATE_LIMIT_EXCEEDED";
  const workflow = { workflow_id: created?.workflow_id };
  const deployed = await callTool(arena, "deploy_workflow", { ...workflow, slug: `p${Date.now()}` }, over);
  await callTool(arena, "delete_workflow", workflow, over);
  return deployed?.code === "RATE_LIMIT_EXCEEDED";
}

function conditionOn(left: string, right: string): Definition {
  const properties = ["text", "pattern"].map((name) => ({ name, type: "string", required: true }));
  return {
    nodes: [
      node("start", "action_input", { properties }),
      node("check", "condition", { match: "all", rules: [{ left, operator: "matches", right }] }),
      node("out", "return_output", { properties: [] }),
    ],
    edges: edges("start>check", "check.true>out", "check.false>out"),
  };
}

/** One draft that compiles the pattern for each of its conditions; variants, because equal ones are compiled once. */
function manyConditions(pattern: string): Definition {
  const checks = Array.from({ length: CONDITIONS }, (_, index) => {
    const right = `${pattern}${"z".repeat(index % 5)}${index}`.slice(0, 1_000);
    return node(`c${index}`, "condition", { match: "all", rules: [{ left: "a", operator: "matches", right }] });
  });
  const line = ["start", ...checks.map(({ id }) => id), "out"];
  const paths = line.slice(1).map((target, index) => `${line[index]}${index === 0 ? "" : ".true"}>${target}`);
  return {
    nodes: [
      node("start", "action_input", { properties: [] }),
      ...checks,
      node("out", "return_output", { properties: [] }),
    ],
    edges: edges(...paths),
  };
}
