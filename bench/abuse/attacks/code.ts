import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { publishAction } from "#bench/abuse/make-tenants";
import { type Backlog, openBacklog } from "#bench/abuse/open-backlog";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";

const RUNS = { full: 400, short: 20 };
/** Programs that never end: one computes, one allocates, and one does it in JSONata. */
const PROGRAMS = {
  spins: node("work", "code", { source: "while (true) {}" }),
  allocates: node("work", "code", {
    source: "const all = []; while (true) all.push(new Array(1000).fill(all.length));",
  }),
  recurses: node("work", "transform", { jsonata: "($f := function($n) { $f($n + 1) }; $f(1))" }),
};

/** Queues hundreds of runs, each with one step that computes until it is stopped. */
export const openCode: OpenAttack = async (arena: Arena) => {
  const backlogs: Backlog[] = [];
  for (const [slug, work] of Object.entries(PROGRAMS)) {
    await publishAction(arena.attacker, slug, {
      nodes: [
        node("start", "action_input", { properties: [] }),
        work,
        node("out", "return_output", { properties: [] }),
      ],
      edges: edges("start>work", "work>out"),
    });
    const count = slug === "spins" ? RUNS[arena.size] : RUNS[arena.size] / 10;
    backlogs.push(await openBacklog(arena, slug, count));
  }
  return {
    run: async () => {},
    facts: async () => {
      const { succeeded = 0 } = (await backlogs[0]?.countEnded()) ?? {};
      return [fact("a program that never ends does not succeed", succeeded === 0, `${succeeded} succeeded`)];
    },
  };
};
