import { describe, expect, it } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { compilePlan } from "#lib/core/engine/compile-plan";
import { memoryJournal, noServices, virtualClock } from "#lib/core/engine/engine.fixture";
import { LeaseLost, RunReleased } from "#lib/core/engine/lease-lost";
import type { BreakerPort, ConnectorOperation } from "#lib/core/engine/ports";
import { type RunOutcome, runPipeline } from "#lib/core/engine/run-pipeline";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";

const nodeHandlers = await loadNodeHandlers();

const node = (id: string, type: GraphNode["type"], data: JsonObject): GraphNode => ({
  id,
  type,
  data,
  position: { x: 0, y: 0 },
});
const chain = (...nodes: GraphNode[]): Definition => ({
  nodes,
  edges: nodes.slice(1).map((target, index) => ({ id: target.id, source: nodes[index]?.id ?? "", target: target.id })),
});
const entry = (...properties: JsonObject[]) => node("start", "action_input", { properties });
const result = (type: string, value: unknown) =>
  node("out", "return_output", { properties: [{ name: "answer", type, value }] });

interface World {
  input?: JsonObject;
  operation?: ConnectorOperation["call"];
  breaker?: Partial<BreakerPort>;
}

/** Runs a definition with the real node types and at most one connector operation. */
function run(definition: Definition, { input = {}, operation, breaker = {} }: World = {}): Promise<RunOutcome> {
  const call: ConnectorOperation["call"] = operation ?? (async () => null);
  const handlers = nodeHandlers((connector) => (connector === "shop" ? { isIdempotent: () => false, call } : null));
  const clock = virtualClock();
  return runPipeline(
    {
      runId: "018f2f6e-0000-7000-8000-000000000001",
      plan: compilePlan(definition, handlers),
      input,
      traceparent: null,
      progress: new Map(),
      remainingMs: 300_000,
      signal: new AbortController().signal,
      stopping: new AbortController().signal,
    },
    {
      clock,
      random: () => 0.5,
      journal: memoryJournal(),
      untilFit: async () => {},
      takeTurn: () => null,
      services: {
        ...noServices(clock),
        breaker: { admit: async () => ({ isProbe: false }), report: async () => {}, ...breaker },
      },
    },
  );
}

describe("node types (decisions, The graph document)", () => {
  it("action_input fills in defaults and is named by its id and by its type", async () => {
    const properties = [
      { name: "city", type: "string", required: false, default: "Berlin" },
      { name: "count", type: "integer", required: true },
    ];
    const definition = chain(entry(...properties), result("string", "{{start.city}} {{action_input.count}}"));
    expect(await run(definition, { input: { count: 3 } })).toEqual({
      status: "succeeded",
      output: { answer: "Berlin 3" },
    });
  });

  it("transform keeps the type of a value that is a single expression", async () => {
    const fields = [
      { name: "list", value: "{{start.items}}" },
      { name: "text", value: "{{start.items}}!" },
    ];
    const items = { name: "items", type: "array", required: true };
    const definition = chain(entry(items), node("t", "transform", { fields }), result("array", "{{t.list}}"));
    expect(await run(definition, { input: { items: [1, { a: 2 }] } })).toMatchObject({
      output: { answer: [1, { a: 2 }] },
    });
  });

  it("condition chooses the handle that its output names", async () => {
    const rules = [{ left: "{{start.n}}", operator: "greater_than", right: 5 }];
    const definition: Definition = {
      nodes: [
        entry({ name: "n", type: "number", required: true }),
        node("c", "condition", { match: "all", rules }),
        node("yes", "transform", { fields: [{ name: "said", value: "yes {{c.result}}" }] }),
        node("no", "transform", { fields: [{ name: "said", value: "no {{c.result}}" }] }),
        result("string", "{{yes.said}}{{no.said}}"),
      ],
      edges: [
        { id: "1", source: "start", target: "c" },
        { id: "2", source: "c", target: "yes", sourceHandle: "true" },
        { id: "3", source: "c", target: "no", sourceHandle: "false" },
        { id: "4", source: "yes", target: "out" },
        { id: "5", source: "no", target: "out" },
      ],
    };
    expect(await run(definition, { input: { n: 6 } })).toMatchObject({ output: { answer: "yes true" } });
    expect(await run(definition, { input: { n: 5 } })).toMatchObject({ output: { answer: "no false" } });
  });

  it("return_output names the field whose value does not fit its type", async () => {
    expect(await run(chain(entry(), result("integer", "many")))).toEqual({
      status: "failed",
      error: {
        code: "VALIDATION_ERROR",
        reason: "validation_error",
        message: 'answer must be of type integer, but is "many"',
        step_id: "out",
      },
    });
  });

  it("the caller's input is never evaluated as a template", async () => {
    const definition = chain(entry({ name: "x", type: "string", required: true }), result("string", "{{start.x}}"));
    const input = { x: "{{start.x}} {{action_input.x}}" };
    expect(await run(definition, { input })).toMatchObject({ output: { answer: input.x } });
  });

  it("data that its type does not allow fails before any step runs, naming node and field", () => {
    const broken = chain(entry(), node("t", "transform", { fields: "none" }));
    expect(() =>
      compilePlan(
        broken,
        nodeHandlers(() => null),
      ),
    ).toThrow(/^t\.fields: /);
  });
});

describe("connector", () => {
  const shop = (more: JsonObject = {}) =>
    node("buy", "connector", { connector: "shop", operation: "buy", params: { item: "{{start.item}}" }, ...more });
  const item = { name: "item", type: "string", required: true };

  it("calls its operation with the resolved parameters, and passes the answer to the next step", async () => {
    const seen: unknown[] = [];
    const outcome = await run(chain(entry(item), shop(), result("number", "{{buy.price}}")), {
      input: { item: "pen" },
      operation: async (params, context) => {
        seen.push(params, context.idempotencyKey);
        return { price: 2 };
      },
    });
    expect(outcome).toMatchObject({ output: { answer: 2 } });
    expect(seen).toEqual([{ item: "pen" }, "018f2f6e-0000-7000-8000-000000000001:buy:"]);
  });

  it("an open breaker prevents the call", async () => {
    let calls = 0;
    const outcome = await run(chain(entry(item), shop()), {
      operation: async () => {
        calls += 1;
      },
      breaker: {
        admit: () => Promise.reject(new StepError("UPSTREAM_ERROR", "circuit open", { retryAfterMs: 5 })),
      },
    });
    expect(outcome).toMatchObject({ error: { code: "UPSTREAM_ERROR", retryAfterMs: 5 } });
    expect(calls).toBe(0);
  });

  it.each([
    ["a failure of the integration as a failure", new StepError("UPSTREAM_ERROR", "503"), ["UPSTREAM_ERROR"]],
    ["a request that the integration refused as a success", new StepError("VALIDATION_ERROR", "422"), [null]],
    ["nothing if the worker lost the run", new LeaseLost("run"), []],
    ["nothing if the worker releases the run", new RunReleased("run"), []],
  ])("reports to the breaker %s", async (_name, thrown, told) => {
    const reports: (string | null)[] = [];
    await run(chain(entry(item), shop()), {
      operation: () => Promise.reject(thrown),
      breaker: {
        report: async (_connector, _pass, error) => {
          reports.push(error?.code ?? null);
        },
      },
    }).catch(() => {});
    expect(reports).toEqual(told);
  });
});
