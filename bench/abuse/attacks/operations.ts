import { setTimeout as sleep } from "node:timers/promises";
import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { inParallel } from "#bench/abuse/in-parallel";
import { callTool } from "#bench/abuse/send";
import { isServerFault, NO_ANSWER } from "#bench/abuse/tally";
import { LIMITS } from "#lib/contract/limits";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";

const OPERATIONS = LIMITS.graphNodes + LIMITS.graphEdges;
const STEPS = LIMITS.graphNodes - 2;
/** The length of each step's text, so that the definition fills most of a body. */
const TEXT_CHARACTERS = 3_500;
const CONNECTIONS = 4;

/** Sends the maximum number of operations per call. Each operation changes expressions in the whole definition. */
export const openOperations: OpenAttack = async (arena: Arena) => {
  const definition = largestDefinition();
  const workflow = await callTool(arena, "create_workflow", { name: "Large", definition });
  const workflowId = workflow?.workflow_id;
  if (workflowId === undefined)
    throw new Error(`the large draft was refused: ${JSON.stringify(workflow).slice(0, 300)}`);
  return {
    run: (over) =>
      inParallel(
        { connections: CONNECTIONS, over, count: arena.size === "short" ? 8 : Number.POSITIVE_INFINITY },
        async (round) => {
          const operations = round % 2 === 0 ? renames() : updates(round);
          const answer = await callTool(arena, "update_workflow", { workflow_id: workflowId, operations }, over);
          if (answer?.code === "RATE_LIMIT_EXCEEDED") {
            await sleep(1_000, undefined, { signal: over }).catch(() => {});
          }
        },
      ),
    facts: () => {
      const unanswered = arena.tally.count((what) => what === NO_ANSWER || isServerFault(what));
      return [
        fact(
          `every call with ${OPERATIONS} operations is answered, none with 5xx`,
          unanswered === 0,
          `${unanswered} others`,
        ),
      ];
    },
  };
};

/** Returns a line of transforms that all read the first one. */
function largestDefinition() {
  const steps = Array.from({ length: STEPS }, (_, index) =>
    node(`s${index}`, "transform", {
      fields: [{ name: "text", value: `{{s0.text}} {{start.name}} ${"x".repeat(TEXT_CHARACTERS)}` }],
    }),
  );
  const properties = [{ name: "name", type: "string", required: true }];
  const nodes = [
    node("start", "action_input", { properties }),
    ...steps,
    node("out", "return_output", { properties: [] }),
  ];
  return { nodes, edges: edges(...nodes.slice(1).map(({ id }, index) => `${nodes[index]?.id}>${id}`)) };
}

/** Returns renames that each read and rewrite the expressions of all steps. The last rename restores the name. */
function renames() {
  return Array.from({ length: OPERATIONS }, (_, index) => ({
    op: "rename_node",
    node_id: index % 2 === 0 ? "s0" : "t0",
    new_id: index % 2 === 0 ? "t0" : "s0",
  }));
}

function updates(round: number) {
  return Array.from({ length: OPERATIONS }, (_, index) => ({
    op: "update_node",
    node_id: `s${1 + (index % (STEPS - 1))}`,
    data: { name: `Step ${round}.${index}` },
  }));
}
