import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { publishAction } from "#bench/abuse/make-tenants";
import { openBacklog } from "#bench/abuse/open-backlog";
import { serve } from "#bench/stage/start-stub";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";

const BYTES = 10 * 1_048_576 - 1_024;
/** The contract lets a user start 100 runs an hour. */
const RUNS = { full: 100, short: 9 };
/** JSON that is cheap to send and costly to hold. Each pattern is repeated up to 10 MB. */
const ANSWERS: Record<string, string> = {
  numbers: `[${repeated("0,")}0]`,
  objects: `[${repeated("{},")}{}]`,
  keys: `{${Array.from({ length: 700_000 }, (_, index) => `"k${index}":0`).join()}}`,
  deep: `${"[".repeat(BYTES / 2)}${"]".repeat(BYTES / 2)}`,
  escapes: `"${repeated("\\u0041")}"`,
};

function repeated(text: string): string {
  return text.repeat(Math.floor(BYTES / text.length));
}

/** Starts runs that read the largest response that a step may read. */
export const openUpstream: OpenAttack = async (arena: Arena) => {
  const bodies = new Map(Object.entries(ANSWERS).map(([name, text]) => [`/${name}`, Buffer.from(text)]));
  const upstream = await serve((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(bodies.get(request.url ?? "") ?? "{}");
  });
  for (const name of Object.keys(ANSWERS)) {
    const params = { method: "GET", url: `${upstream.url}${name}` };
    await publishAction(arena.attacker, name, {
      nodes: [
        node("start", "action_input", { properties: [] }),
        node("call", "connector", { connector: "http", operation: "request", params }),
        node("out", "return_output", { properties: [] }),
      ],
      edges: edges("start>call", "call>out"),
    });
  }
  return {
    run: async () => {
      const names = Object.keys(ANSWERS);
      await Promise.all(names.map((name) => openBacklog(arena, name, Math.floor(RUNS[arena.size] / names.length))));
    },
    facts: () => {
      const refused = arena.tally.count((what) => what.startsWith("run refused"));
      return [fact("the attacker's runs are accepted like any others", refused === 0, `${refused} refused`)];
    },
  };
};
