import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { compilePlan } from "#lib/core/engine/compile-plan";
import { runGraph } from "#lib/core/engine/engine.fixture";
import type { Clock } from "#lib/core/engine/ports";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";

const handlers = (await loadNodeHandlers())(() => null);
/** Nothing here waits. With a clock that never moves, a slow test can't make the filter reach its time limit. */
const stillClock: Clock = {
  now: () => new Date(0),
  monotonicMs: () => 0,
  sleep: (_ms, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
};

const rule = (left: unknown, operator: string, right?: unknown) => ({ left, operator, right });
const result = (value: string) =>
  completeNode("end", "return_output", { properties: [{ name: "kept", type: "array", value }] });

/** Runs a filter named `few` on the input's `list`. */
function keep(list: unknown, data: JsonObject, clock?: Clock) {
  const nodes = [completeNode("start", "action_input"), completeNode("few", "filter", data), result("{{few.items}}")];
  const plan = compilePlan(definition(nodes, ["start > few", "few > end"]), handlers);
  const input = { list, most: 5 } as JsonObject;
  return runGraph({ paths: [] }, { plan, input }, clock === undefined ? {} : { clock });
}

const kept = async (list: unknown, data: JsonObject) => {
  const { outcome, journal } = keep(list, { items: "{{start.list}}", ...data }, stillClock);
  await outcome;
  const event = journal.events.find(({ nodeId, kind }) => nodeId === "few" && kind !== "step_started");
  return event?.outputData ?? event?.error;
};

describe("a filter (decisions, The graph document)", () => {
  const orders = [{ total: 3 }, { total: 8 }, { total: 5 }, {}];

  it("keeps the items that match the rules, unchanged and in order", async () => {
    const rules = [rule("{{few.item.total}}", "greater_or_equal", "{{start.most}}")];
    expect(await kept(orders, { rules })).toEqual({ items: [{ total: 8 }, { total: 5 }], count: 2 });
    expect(await kept([], { rules })).toEqual({ items: [], count: 0 });
  });

  it("matches all rules or any of them, and exposes each item's index", async () => {
    const rules = [rule("{{few.index}}", "less_than", 1), rule("{{few.item.total}}", "equals", 5)];
    expect(await kept(orders, { match: "any", rules })).toMatchObject({ items: [{ total: 3 }, { total: 5 }] });
    expect(await kept(orders, { match: "all", rules })).toMatchObject({ count: 0 });
  });

  it("accepts a list that is written into the step", async () => {
    const data = { items: ["a", "{{start.most}}"], rules: [rule("{{few.item}}", "equals", 5)] };
    expect(await kept(null, data)).toEqual({ items: [5], count: 1 });
  });

  it("never evaluates an item as a template", async () => {
    const rules = [rule("{{few.item}}", "contains", "most")];
    expect(await kept(["{{start.most}}", "5"], { rules })).toEqual({ items: ["{{start.most}}"], count: 1 });
  });

  it.each([
    [null, /items must be an array, but is null/],
    ["a,b", /items must be an array, but is a string/],
    [{ 0: "a" }, /items must be an array, but is an object/],
    [Array.from({ length: 1_001 }, () => 1), /has 1001 entries, but a filter can process at most 1000$/],
  ])("refuses %j as its items", async (list, message) => {
    const error = { code: "VALIDATION_ERROR", message: expect.stringMatching(message) };
    expect(await kept(list, { rules: [rule("{{few.item}}", "exists")] })).toMatchObject(error);
  });

  it("fails if a pattern is invalid", async () => {
    const rules = [rule("{{few.item}}", "matches", "(")];
    expect(await kept(["a"], { rules })).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("yields to other work between items, and stops at the step's time limit", async () => {
    const list = Array.from({ length: 1_000 }, (_, index) => index);
    const data = { items: "{{start.list}}", rules: [rule("{{few.item}}", "exists")] };
    // This clock jumps to the time limit as soon as the event loop gets a turn.
    const { outcome } = keep(list, data);
    expect(await outcome).toMatchObject({ status: "timed_out", error: { code: "TIMEOUT", step_id: "few" } });
  });

  it("works inside a loop, for each of its items", async () => {
    const inside = completeNode("few", "filter", {
      items: "{{each.item}}",
      rules: [rule("{{few.item}}", "greater_than", "{{each.index}}")],
    });
    const each = completeNode("each", "loop", { items: "{{start.list}}", result: "{{few.items}}" });
    const nodes = [
      completeNode("start", "action_input"),
      each,
      { ...inside, parentId: "each" },
      result("{{each.results}}"),
    ];
    const plan = compilePlan(definition(nodes, ["start > each", "each > end"]), handlers);
    const input = {
      list: [
        [0, 1, 2],
        [0, 1, 2],
      ],
    };
    const { outcome } = runGraph({ paths: [] }, { plan, input }, { clock: stillClock });
    expect(await outcome).toEqual({ status: "succeeded", output: { kept: [[1, 2], [2]] } });
  });
});

it("a filter compares at most 1 MiB for each item, as a condition does", async () => {
  const list = Array.from({ length: 10 }, () => "x".repeat(60_000));
  const contains = rule("{{start.list}}", "contains", "{{few.item}}");
  expect(await kept(list, { rules: [contains] })).toMatchObject({ count: 10 });
  expect(await kept(list, { rules: [contains, contains] })).toMatchObject({
    reason: "data_too_large",
    message: "The rules of a filter can compare at most 1 MiB for each item. Compare a field instead of a whole list",
  });
});
