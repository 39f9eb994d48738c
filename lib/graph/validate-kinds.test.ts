import { describe, expect, test } from "vitest";
import type { Definition } from "#lib/contract/graph";
import { deriveType } from "#lib/graph/derive-type";
import { definition, node } from "#lib/graph/graph.fixture";
import { validateGraph } from "#lib/graph/validate-graph";

const start = node("start", "action_input", { properties: [{ name: "email", type: "string", required: true }] });
const end = node("end", "return_output");

function found(graph: Definition): string[] {
  return validateGraph(graph).map(({ code, node_id, field }) => [code, node_id, field].filter(Boolean).join(" "));
}

describe("what starts a workflow", () => {
  const trigger = node("begin", "trigger");
  const event = definition([trigger, node("work", "transform")], ["begin > work"]);

  test("one trigger makes an event_driven workflow, which needs no placeholders", () => {
    expect(validateGraph(event)).toEqual([]);
    expect(deriveType(event)).toBe("event_driven");
  });

  test("two triggers are refused with the sentence, and the second is shown", () => {
    const second = { ...trigger, id: "second" };
    expect(validateGraph({ ...event, nodes: [...event.nodes, second] })).toContainEqual({
      code: "TRIGGER_COUNT",
      message: "An event_driven workflow must have exactly 1 Trigger node",
      node_id: "second",
    });
  });

  test("a trigger beside an Action Input is refused", () => {
    const graph = definition([start, end], ["start > end"]);
    expect(found({ ...graph, nodes: [...graph.nodes, trigger] })).toContain("TWO_STARTS begin");
  });

  test("trigger names the trigger whatever its id, and action_input nothing", () => {
    const uses = (value: string) =>
      definition([trigger, node("work", "transform", { fields: [{ name: "x", value }] })], ["begin > work"]);
    expect(found(uses("{{trigger.output.body.id}} {{begin.output}}"))).toEqual([]);
    expect(found(uses("{{action_input.id}}"))).toEqual(["UNKNOWN_REFERENCE work fields.0.value"]);
  });

  test.each([
    [{ kind: "webhook", secret: "s", scheme: "github" }, []],
    [{ kind: "schedule", mode: "interval", seconds: 60 }, []],
    [{ kind: "schedule", mode: "interval", seconds: 59 }, ["INVALID_DATA begin seconds"]],
    [{ kind: "schedule", mode: "interval", seconds: 86_401 }, ["INVALID_DATA begin seconds"]],
    [{ kind: "schedule", mode: "cron", expression: "0 9 * * 1-5", timezone: "Europe/Berlin" }, []],
    [{ kind: "schedule", mode: "cron", expression: "0 9 * *" }, ["INVALID_DATA begin expression"]],
    [{ kind: "connector", connector: "crm", event: "lead_added" }, []],
    [{ kind: "connector", connector: "crm" }, ["INVALID_DATA begin event"]],
    [{ kind: "post" }, ["INVALID_DATA begin kind"]],
  ])("the trigger %j", (data, problems) => {
    const graph = definition([{ ...trigger, data }, node("work", "transform")], ["begin > work"]);
    expect(found(graph)).toEqual(problems);
  });
});

describe("a switch", () => {
  const rules = [{ left: "{{start.email}}", operator: "exists" }];
  const cases = [
    { id: "a", match: "all", rules },
    { id: "b", match: "all", rules },
  ];
  const graph = (of: unknown, ...edges: string[]) =>
    definition([start, node("s", "switch", { cases: of }), end], ["start > s", ...edges]);

  test("is left by its cases' ids and by default", () => {
    expect(found(graph(cases, "s.a > end", "s.b > end", "s.default > end"))).toEqual([]);
    expect(found(graph(cases, "s.c > end"))).toEqual(["UNKNOWN_HANDLE s"]);
  });

  test("has cases with ids of their own, none of them default", () => {
    const id = (text: string) => ({ ...cases[0], id: text });
    expect(found(graph([id("a"), id("a")], "s.a > end"))).toEqual(["INVALID_DATA s cases.1.id"]);
    expect(found(graph([id("default")], "s.default > end"))).toEqual(["INVALID_DATA s cases.0.id"]);
    expect(found(graph([], "s.default > end"))).toEqual(["INVALID_DATA s cases"]);
  });

  test("has its templates checked", () => {
    const lost = [{ id: "a", match: "all", rules: [{ left: "{{ghost}}", operator: "exists" }] }];
    expect(found(graph(lost, "s.a > end"))).toEqual(["UNKNOWN_REFERENCE s cases.0.rules.0.left"]);
  });
});
