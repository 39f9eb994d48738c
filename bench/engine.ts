import type { Definition, GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { compilePlan } from "#lib/engine/compile-plan";
import type { Clock, JournalPort } from "#lib/engine/ports";
import { runPipeline } from "#lib/engine/run-pipeline";
import { nodeHandlers } from "#lib/nodes/registry";

/** Steps a second of the engine alone: real node types, no database. `node bench/engine.ts [seconds]` */
const seconds = Number(process.argv[2] ?? 3);

const node = (id: string, type: GraphNode["type"], data: JsonObject): GraphNode => ({
  id,
  type,
  data,
  position: { x: 0, y: 0 },
});
const definition: Definition = {
  nodes: [
    node("start", "action_input", { properties: [{ name: "n", type: "number", required: true }] }),
    node("first", "transform", { fields: [{ name: "text", value: "number {{start.n}}" }] }),
    node("check", "condition", { match: "all", rules: [{ left: "{{start.n}}", operator: "greater_than", right: 0 }] }),
    node("second", "transform", { fields: [{ name: "text", value: "{{first.text}}, checked" }] }),
    node("out", "return_output", { properties: [{ name: "text", type: "string", value: "{{second.text}}" }] }),
  ],
  edges: [
    { id: "1", source: "start", target: "first" },
    { id: "2", source: "first", target: "check" },
    { id: "3", source: "check", target: "second", sourceHandle: "true" },
    { id: "4", source: "second", target: "out" },
  ],
};

const clock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: () => new Promise(() => {}),
};
const unused = () => Promise.reject(new Error("pure steps go nowhere"));
let events = 0;
const journal: JournalPort = {
  append: () => {
    events += 1;
  },
  flush: async () => {},
  keepUp: async () => {},
  flushSoon: () => {},
};
const plan = compilePlan(
  definition,
  nodeHandlers(() => null),
);
const signal = new AbortController().signal;

let runs = 0;
const startedMs = performance.now();
while (performance.now() - startedMs < seconds * 1000) {
  await runPipeline(
    {
      runId: "018f2f6e-0000-7000-8000-000000000001",
      plan,
      input: { n: 1 },
      traceparent: null,
      progress: new Map(),
      remainingMs: 300_000,
      signal,
      stopping: signal,
    },
    {
      clock,
      random: Math.random,
      journal,
      untilFit: async () => {},
      services: {
        breaker: { admit: unused, report: unused },
        gates: { open: unused },
        subRuns: { open: unused },
        sandbox: { runCode: unused, evaluateJsonata: unused },
        send: unused,
        now: clock.now,
      },
    },
  );
  runs += 1;
}
const elapsed = (performance.now() - startedMs) / 1000;
const perSecond = (count: number) => Math.round(count / elapsed).toLocaleString("en");
console.log(`${perSecond(runs)} runs/s, ${perSecond(runs * plan.nodes.length)} steps/s, ${perSecond(events)} events/s`);
